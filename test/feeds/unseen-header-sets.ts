// Forty headers with values, written with their answers before anything was tried on them, by somebody who did not look at the
// words that inspect knows: exports of shops, marketplaces and ERP systems in 28 languages. The form is that of header-sets.ts.
export const unseenHeaderSets: readonly string[] = [
  // German
  'JTL-Wawi | Artikelnummer=code>sku | Artikelname=text>name | GTIN=ean>ean | HAN=supplier | Brutto-VK=gross>price | Netto-VK=net | EK Netto (für GLD)=cost | UVP=rrp>price_compare | Gesamt Lagerbestand=qty>stock | Artikelgewicht=kg>weight',
  'German ERP, two lists | Matchcode=slug | Artikel-Nr.=code>sku | Bezeichnung 1=text>name | VK-Preis 1=gross?price | VK-Preis 2=net?price | EK-Preis=cost | Mindestbestand=min>stock_threshold | Lagermenge=qty>stock',
  'German tiles, per area and pack | Artikelcode=code>sku | Artikelbezeichnung=text>name | Preis pro m²=unit?price | Preis pro Paket=gross?price | m² je Paket=few | Verfügbar=qty>stock',
  // French
  'French ERP | Référence article=code>sku | Désignation=text>name | Prix de vente TTC=gross>price | Prix de vente HT=net | PUMP=cost | Stock réel=qty>stock | Code-barres=ean>ean | Famille=ptype>category',
  'Canadian French shop | UGS=code>sku | Nom du produit=text>name | Prix régulier=gross>price | Prix promo=promo | Inventaire=qty>stock | Poids (kg)=kg>weight',
  // Spanish, Portuguese, Italian
  'Spanish ERP | Código=code>sku | Descripción=text>name | Precio de venta=gross>price | Precio de coste=cost | Existencias=qty>stock | Código de barras=ean>ean | IVA=vat',
  'Spanish trade | Ref.=code>sku | Nombre artículo=text>name | PVP=gross>price | PVD=cost | Uds. disponibles=qty>stock',
  'Mexican marketplace | SKU=code>sku | Título=text>name | Precio=gross>price | Precio de lista=rrp>price_compare | Moneda=currency>currency | Cantidad=qty>stock | Estado=state>status',
  'Brazilian ERP | Código=code>sku | Descrição=text>name | Preço=gross>price | Preço de custo=cost | Estoque=qty>stock | GTIN/EAN=ean>ean | Peso líquido (Kg)=kg?weight | Peso bruto (Kg)=kg2?weight',
  'Portuguese ERP | Ref=code>sku | Designação=text>name | PVP c/ IVA=gross>price | PVP s/ IVA=net | Custo médio=cost | Stock actual=qty>stock',
  'Italian ERP, two lists | Cod.=code>sku | Descrizione=text>name | Listino 1=gross?price | Listino 2=rrp?price | Ult. costo=cost | Q.tà in giacenza=qty>stock | Cod. a barre=ean>ean',
  'Italian shop | Codice prodotto=code>sku | Nome prodotto=text>name | Prezzo al pubblico=gross>price | Prezzo d’acquisto=cost | Giacenza=qty>stock | Marca=brand',
  // Dutch and the north
  'Dutch ERP | Artikelcode=code>sku | Omschrijving=text>name | Verkoopprijs incl. btw=gross>price | Kostprijs=cost | Vrije voorraad=qty>stock | Streepjescode=ean>ean',
  'Dutch wholesaler | Artikelnr leverancier=supplier | Ons artikelnr=code>sku | Productnaam=text>name | Adviesverkoopprijs=rrp>price_compare | Webprijs=gross>price | Inkoop netto=cost | Voorraad magazijn=qty>stock',
  'Swedish ERP | Artikelnummer=code>sku | Benämning=text>name | Försäljningspris=gross>price | Inköpspris=cost | Disponibelt antal=qty>stock | EAN=ean>ean',
  'Norwegian | Varenr=code>sku | Varenavn=text>name | Utsalgspris inkl. mva=gross>price | Innkjøpspris=cost | Lagerbeholdning=qty>stock | Strekkode=ean>ean',
  'Danish | Varenummer=code>sku | Varetekst=text>name | Udsalgspris=gross>price | Kostpris=cost | Vejl. pris=rrp>price_compare | Lager antal=qty>stock',
  'Finnish | Tuotekoodi=code>sku | Tuotteen nimi=text>name | Myyntihinta (sis. alv)=gross>price | Ostohinta=cost | Varastosaldo=qty>stock | Paino kg=kg>weight',
  'Estonian, one price | Artikli kood=code>sku | Nimetus=text>name | Müügihind KM-ga=gross>price | Laoseis=qty>stock',
  'Lithuanian | Prekės kodas=code>sku | Pavadinimas=text>name | Pardavimo kaina=gross>price | Savikaina=cost | Likutis=qty>stock',
  // Central and eastern Europe
  'Polish ERP | Symbol=code>sku | Nazwa=text>name | Cena detaliczna brutto=gross>price | Cena hurtowa netto=cost | Stan magazynowy=qty>stock | Kod kreskowy=ean>ean',
  'Czech ERP | Kód=code>sku | Název=text>name | Prodejní cena s DPH=gross>price | Nákupní cena=cost | Množství na skladě=qty>stock | Čárový kód=ean>ean',
  'Hungarian shop | Cikkszám=code>sku | Terméknév=text>name | Bruttó ár=gross>price | Nettó ár=net | Akciós bruttó ár=promo | Raktárkészlet=qty>stock',
  'Romanian | Cod produs=code>sku | Denumire produs=text>name | Preț vânzare cu TVA=gross>price | Preț achiziție=cost | Stoc disponibil=qty>stock | Cod de bare=ean>ean',
  'Croatian | Šifra artikla=code>sku | Naziv artikla=text>name | MPC=gross>price | VPC=net | Nabavna cijena=cost | Zaliha=qty>stock',
  'Slovenian, one price | Šifra=code>sku | Naziv=text>name | Cena z DDV=gross>price | Zaloga=qty>stock',
  'Russian ERP | Артикул=code>sku | Номенклатура=text>name | Розничная цена=gross>price | Закупочная цена=cost | Остаток=qty>stock | Штрихкод=ean>ean',
  'Russian marketplace | Артикул*=code>sku | Название товара=text>name | Цена, руб.*=gross>price | Цена до скидки, руб.=rrp>price_compare | НДС, %=vat | Штрихкод=ean>ean',
  'Greek | Κωδικός είδους=code>sku | Περιγραφή=text>name | Τιμή λιανικής=gross>price | Τιμή χονδρικής=cost | Υπόλοιπο=qty>stock',
  'Turkish marketplace | Barkod=ean>ean | Model Kodu=parent | Ürün Adı=text>name | Tedarikçi Stok Kodu=code>sku | Piyasa Satış Fiyatı (KDV Dahil)=rrp>price_compare | Satılacak Fiyat (KDV Dahil)=gross>price | Ürün Stok Adedi=qty>stock | Para Birimi=currency>currency',
  // Asia and the Middle East
  'Japanese shop | 商品コード=code>sku | 商品名=text>name | 販売価格=gross>price | 定価=rrp>price_compare | 仕入価格=cost | 在庫数=qty>stock | JANコード=ean>ean',
  'Chinese ERP | 商品编码=code>sku | 商品名称=text>name | 零售价=gross>price | 成本价=cost | 库存数量=qty>stock | 条形码=ean>ean',
  'Korean shop | 상품코드=code>sku | 상품명=text>name | 판매가=gross>price | 공급가=cost | 소비자가=rrp>price_compare | 재고수량=qty>stock',
  'Vietnamese point of sale | Mã hàng=code>sku | Tên hàng=text>name | Giá bán=gross>price | Giá vốn=cost | Tồn kho=qty>stock | Mã vạch=ean>ean',
  'Arabic | رمز المنتج=code>sku | اسم المنتج=text>name | سعر البيع=gross>price | سعر التكلفة=cost | الكمية=qty>stock',
  // English
  'English ERP, unit price and costs | No.=code>sku | Description=text>name | Unit Price=gross>price | Unit Cost=cost | Last Direct Cost=cost | Inventory=qty>stock | GTIN=ean>ean',
  'English ERP, no sales price | ItemCode=code>sku | ItemName=text>name | OnHand=qty>stock | AvgPrice=cost | LastPurPrc=cost | CodeBars=ean>ean',
  'English inventory | Item ID=num | SKU=code>sku | Item Name=text>name | Rate=gross>price | Purchase Rate=cost | Stock On Hand=qty>stock | Reorder Level=min>stock_threshold | Status=state>status',
  'English tool hire | Item code=code>sku | Item=text>name | Daily hire rate=unit | Deposit=deposit | Replacement cost=cost | Qty owned=qty>stock',
  'English wine list | Code=code>sku | Wine=text>name | Bottle price=gross?price | Case price (12)=hundred?price | Duty=shipping | Bottles in stock=qty>stock',
];
