// Headers with values of points of sale, marketplaces, ERP systems, PIMs and wholesalers, written with their answers before
// anything was tried on them: names that are codes, several codes, amounts for customers, dealers, packs and in hundredths.
// The form is that of header-sets.ts.
export const systemHeaderSets: readonly string[] = [
  // ERP systems
  'NetSuite | Internal ID=num | Name=code>sku | Display Name=text>name | UPC Code=ean>ean | Type=kind | Base Price=gross>price | Last Purchase Price=cost | Average Cost=avg | Quantity On Hand=qty>stock | Inactive=flag',
  'NetSuite, names only | Name=code>sku | Display Name=text>name | UPC Code=ean>ean | Online Price=gross>price | Purchase Price=cost',
  'Odoo, two stocks | External ID=num | Name=text>name | Internal Reference=code>sku | Barcode=ean>ean | Sales Price=gross>price | Cost=cost | Product Category=path>category | Quantity On Hand=qty?stock | Forecasted Quantity=qty2?stock',
  'SAP, three prices | Material=code>sku | Materialkurztext=text>name | EAN/UPC=ean>ean | Basis-ME=kind | Bew. gleitender Preis=avg | Standardpreis=cost | Verkaufspreis=gross>price | Währung=currency>currency | Preiseinheit=flag | Warengruppe=num2',
  'Sage, German, two descriptions | Artikelnummer=code>sku | Matchcode=slug | Bezeichnung1=text>name | Bezeichnung2=colour | EK-Preis=cost | VK1 netto=net | VK1 brutto=gross>price | Lagerbestand=qty>stock | Mindestbestand=min>stock_threshold',
  '1C, two codes | Код=num?sku | Артикул=code?sku | Наименование=text>name | Закупочная цена=cost | Розничная цена=gross>price | Остаток=qty>stock | Ед. изм.=kind',
  'Bling, Brazil | ID=num | Código=code>sku | Descrição=text>name | Unidade=kind | NCM=supplier | Preço=gross>price | Preço de custo=cost | Estoque=qty>stock | GTIN/EAN=ean>ean | Peso líquido (Kg)=kg?weight | Peso bruto (Kg)=kg2?weight',
  'Subiekt, Polish | Symbol=code>sku | Nazwa=text>name | EAN=ean>ean | Cena zakupu netto=cost | Cena detaliczna brutto=gross>price | Cena hurtowa netto=net | Stan=qty>stock | JM=kind',
  'Pohoda, Czech | Kód=code>sku | Název=text>name | EAN=ean>ean | Nákupní cena=cost | Prodejní cena=gross>price | Množství=qty>stock | MJ=kind | Skupina=ptype>category',
  // Points of sale
  'Square, one place | Token=slug | Item Name=text>name | Variation Name=kind | SKU=code>sku | Category=ptype>category | GTIN=ean>ean | Price=gross>price | Current Quantity Main Street=qty>stock | Stock Alert Enabled Main Street=flag',
  'Lightspeed, two codes | System ID=num | UPC=ean>ean | Custom SKU=code>sku | Manufact. SKU=supplier | Item=text>name | Price=gross>price | Tax=flag | Brand=brand | Default Cost=cost | MSRP=rrp>price_compare | Qty=qty>stock',
  'Vend | id=num2 | handle=slug>slug | sku=code>sku | name=text>name | supply_price=cost | retail_price=gross>price | tax_name=kind | inventory_Main_Outlet=qty>stock | active=flag',
  'Chinese till | 商品编码=code>sku | 商品名称=text>name | 条形码=ean>ean | 进货价=cost | 零售价=gross>price | 会员价=net | 库存数量=qty>stock | 商品分类=ptype>category',
  'KiotViet | Mã hàng=code>sku | Tên hàng=text>name | Giá vốn=cost | Giá bán=gross>price | Tồn kho=qty>stock | Nhóm hàng=ptype>category | ĐVT=kind',
  // Marketplaces
  'Amazon, three codes | item-name=text>name | listing-id=num?sku | seller-sku=code?sku | price=gross>price | quantity=qty>stock | product-id=num2?sku | business-price=net | fulfillment-channel=kind | status=state>status',
  'eBay, four prices | Item number=num | Title=text>name | Custom label (SKU)=code>sku | Available quantity=qty>stock | Format=kind | Currency=currency>currency | Start price=net?price | Current price=gross?price | Sold quantity=qty2 | Watchers=few',
  'Rakuten, two codes | 商品管理番号=code?sku | 商品番号=num?sku | 商品名=text>name | 販売価格=gross>price | 表示価格=rrp>price_compare | 在庫数=qty>stock',
  'Korean market | 상품코드=code>sku | 상품명=text>name | 공급가=cost | 판매가=gross>price | 소비자가=rrp>price_compare | 재고수량=qty>stock',
  'Prom, Ukrainian | Код_товара=code>sku | Название_позиции=text>name | Цена=gross>price | Оптовая_цена=net | Валюта=currency>currency | Количество=qty>stock | Единица_измерения=kind',
  'Turkish market | Stok Kodu=code>sku | Ürün Adı=text>name | Barkod=ean>ean | Alış Fiyatı=cost | Satış Fiyatı=gross>price | Piyasa Fiyatı=rrp>price_compare | KDV Oranı=vat | Stok Miktarı=qty>stock | Desi=few',
  'Auction house | Lot=num2 | Title=text>name | Our ref=code>sku | Reserve=cost | Hammer price=gross>price | Buyer premium=margin | Condition=odd>condition',
  // Wholesalers and other languages
  'American wholesaler | Item #=code>sku | Model=supplier | Description=text>name | MAP=gross?price | MSRP=rrp?price | Dealer=cost | Case Pack=few | UPC=ean>ean | Avail=qty>stock | Freight=shipping',
  'Records, dealer price | Cat No=code>sku | Artist=brand | Title=text>name | Label=ptype | Format=kind | Dealer Price=cost | RRP=gross>price | Qty=qty>stock',
  'Books, your price | ISBN13=ean>sku | Title=text>name | Author=brand | List Price=rrp>price | Discount %=pct | Your Price=net | On Hand=qty>stock | On Order=qty2',
  'Dutch wholesaler, per hundred | Artikelcode=code>sku | Omschrijving=text>name | Brutoprijs=gross>price | Nettoprijs=net | Prijs per 100=hundred | Verpakkingseenheid=few | Voorraad=qty>stock | EAN-code=ean>ean',
  'Spanish, four tariffs | Ref.=code>sku | Artículo=text>name | P. Coste=cost | Tarifa 2=net | PVP=gross>price | PVP sin IVA=net | Existencias=qty>stock | Uds. caja=few',
  'Italian wholesaler | Codice articolo=code>sku | Descrizione=text>name | Prezzo di listino=gross>price | Prezzo netto=net | Giacenza=qty>stock | Conf.=few | Barcode=ean>ean',
  'French wholesaler | Référence=code>sku | Désignation=text>name | PA HT=cost | PV HT=net | PV TTC=gross>price | Qté en stock=qty>stock | Éco-participation=deposit | Famille=ptype>category | Gencod=ean>ean',
  'Finnish, without tax | Tuotekoodi=code>sku | Nimi=text>name | Ostohinta=cost | Ovh=rrp>price | Veroton hinta=net | Varastosaldo=qty>stock | Toimittaja=brand',
  'Swedish, advised price | Artnr=code>sku | Benämning=text>name | Inpris=cost | F-pris=net | Rek. ca-pris=rrp>price>price_compare | Lagersaldo=qty>stock',
  'Danish, per package | Varenr.=code>sku | Varenavn=text>name | Kostpris=cost | Vejl. udsalgspris=gross>price | Antal pr. kolli=few | Lagerbeholdning=qty>stock',
  'Hungarian, three prices | Cikkszám=code>sku | Megnevezés=text>name | Vonalkód=ean>ean | Beszerzési ár=cost | Nettó eladási ár=net | Bruttó eladási ár=gross>price | Készlet=qty>stock | ÁFA=vat',
  'Greek | Κωδικός=code>sku | Περιγραφή=text>name | Τιμή Αγοράς=cost | Τιμή Χονδρικής=net | Τιμή Λιανικής=gross>price | Υπόλοιπο=qty>stock | Κατηγορία=ptype>category',
  'Romanian | Cod produs=code>sku | Denumire=text>name | Preț achiziție=cost | Preț vânzare=gross>price | Stoc=qty>stock | UM=kind | TVA=vat',
  'Arabic | رمز الصنف=code>sku | اسم الصنف=text>name | سعر الشراء=cost | سعر البيع=gross>price | الكمية=qty>stock | الباركود=ean>ean',
  'Hebrew | קוד פריט=code>sku | שם פריט=text>name | מחיר קנייה=cost | מחיר לצרכן=gross>price | כמות במלאי=qty>stock',
  'Indonesian | Kode Barang=code>sku | Nama Barang=text>name | Harga Beli=cost | Harga Jual=gross>price | Stok=qty>stock | Satuan=kind',
  // Quantities, hundredths, names
  'Cases and units | Item Code=code>sku | Product=text>name | Case price=hundred?price | Unit price=gross?price | Units per case=few | Cases in stock=qty | Cases per pallet=few',
  'Minor units, two amounts | id=num | sku=code>sku | title=text>name | amount_minor=minor?price | list_amount_minor=minor?price | currency=currency>currency | qty=qty>stock',
  'PIM, two currencies | identifier=code>sku | family=ptype | enabled=flag | name-en_US=text>name | price-EUR=gross?price | price-USD=rrp?price | cost-EUR=cost | ean=ean>ean',
  'The label is the name | Ref=code>sku | Label=text?name | Title=salutation?name | Price=gross>price | Stock=qty>stock',
  'Prices and stocks by place and year | SKU=code>sku | Name=text>name | Price until 2025=net?price | Price from 2026=gross?price | Stock Berlin=qty?stock | Stock Munich=qty2?stock',
];
