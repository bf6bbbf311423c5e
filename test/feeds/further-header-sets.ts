// Forty more headers with values, written with their answers before anything was tried on them: shops, ERP systems and
// marketplaces, with columns that look like others (parents, texts of pictures, stock on order, classes of tax), and languages
// of which hardly a word is known. The form is that of header-sets.ts.
export const furtherHeaderSets: readonly string[] = [
  // Shops
  'Shopify, variants and pictures | Handle=slug | Title=text>name | Option1 Name=attribute | Option1 Value=colour | Variant SKU=code>sku | Variant Grams=grams>weight | Variant Weight Unit=wunit | Variant Inventory Policy=policy | Variant Inventory Qty=qty>stock | Variant Price=gross>price | Variant Compare At Price=old>price_compare | Image Src=image | Image Alt Text=alt | Variant Tax Code=taxclass',
  'WooCommerce, French | UGS=code>sku | GTIN, UPC, EAN ou ISBN=ean>ean | Nom=text>name | Publié=flag | Classe de TVA=taxclass | En stock ?=flag | Stock=qty>stock | Montant de stock faible=min | Tarif promo=promo | Tarif régulier=gross>price | Catégories=path>category | Poids (kg)=kg>weight | Images=image | Parent=parent',
  'Magento, two stocks and states | sku=code>sku | attribute_set_code=ptype | product_type=kind | name=text>name | weight=kg>weight | tax_class_name=taxclass | visibility=visibility | price=gross>price | special_price=promo | url_key=slug>slug | base_image=image | base_image_label=alt | qty=qty>stock | out_of_stock_qty=few | notify_on_stock_below=min',
  'BigCommerce, option sets | Item Type=kind | Product Name=text>name | Product Code/SKU=code>sku | Brand Name=brand | Price=gross>price | Cost Price=cost | Retail Price=rrp>price_compare | Product Weight=kg>weight | Product Width=kg2 | Current Stock Level=qty>stock | Low Stock Level=min>stock_threshold | Category=path>category | Product Image Description - 1=alt | Product UPC/EAN=ean>ean',
  'PrestaShop, combinations | Product ID=num | Combination reference=code>sku | EAN13=ean>ean | Name=text>name | Wholesale price=cost | Price (tax incl.)=gross>price | Unit price=unit | Ecotax=deposit | Minimal quantity=few | Low stock level=min | Quantity=qty>stock | Image alt texts=alt',
  'Shopware 6, own profile | product_number=code>sku | parent_number=parent | name=text>name | active=flag>status | stock=qty>stock | restock_time=few | purchase_unit=measure | reference_unit=few | price_net=net | price_gross=gross>price | list_price_gross=rrp>price_compare | manufacturer_number=supplier | tax_rate=vat | weight=kg>weight',
  'Salesforce Commerce | ID=code>sku | Display Name=text>name | Online=flag | Tax Class=taxclass | UPC=ean>ean | Manufacturer SKU=supplier | Unit=wunit | Min Order Qty=few | Step Qty=few | ATS=qty?stock | Price usd-list=rrp?price | Price usd-sale=gross?price',
  'Spree | slug=slug>slug | sku=code>sku | name=text>name | master_price=gross>price | cost_price=cost | compare_at_price=old>price_compare | currency=currency>currency | count_on_hand=qty>stock | backorderable=flag | weight=kg>weight | tax_category=taxclass | shipping_category=kind',
  // ERP systems and tills
  'NetSuite | Internal ID=num | Item Name/Number=code>sku | Display Name=text>name | Online Price=gross>price | Average Cost=avg | Last Purchase Price=cost | Quantity Available=qty>stock | Quantity On Order=qty2 | Reorder Point=min | UPC Code=ean>ean | Preferred Stock Level=few',
  'Dynamics 365 F&O | ItemId=code>sku | ProductName=text>name | SalesPrice=gross>price | CostPrice=cost | SalesUnit=wunit | AvailPhysical=qty>stock | OnOrder=qty2 | ReservPhysical=min | NetWeight=kg>weight | TaraWeight=kg2',
  'Epicor | PartNum=code>sku | PartDescription=text>name | UnitPrice=gross>price | PricePerCode=taxclass | StdMaterialCost=cost | OnHandQty=qty>stock | AllocatedQty=min | OnOrderQty=qty2 | NetWeight=kg?weight | GrossWeight=kg2?weight',
  'Infor, prices per thousand | Item=code>sku | Item Description=text>name | Price per M=hundred | Each price=gross>price | Available to promise=qty>stock',
  'Sage X3, French | Référence=code>sku | Désignation 1=text>name | Prix de base=gross>price | Prix de revient=cost | Stock physique=qty>stock | Stock mini=min | En commande=qty2 | Poids US=kg>weight | Unité stock=wunit',
  'weclapp, German | Artikelnummer=code>sku | Artikelname=text>name | Verkaufspreis brutto=gross>price | Letzter Einkaufspreis=cost | Bestand=qty>stock | Bestellt=qty2 | Reserviert=min | EAN=ean>ean | Zolltarifnummer=num2 | Nettogewicht=kg?weight | Bruttogewicht=kg2?weight',
  'German pharmacy | PZN=num>sku | Artikelbezeichnung=text>name | Packungsgröße=measure | AVP=gross?price | AEP=cost?price | Festbetrag=rrp?price | Bestand=qty>stock',
  'Lightspeed Retail X | id=num | handle=slug | sku=code>sku | name=text>name | variant_option_one_value=colour | supply_price=cost | retail_price=gross>price | inventory_Main_Outlet=qty>stock | reorder_point_Main_Outlet=min | tax_value=vat',
  'Book trade, ONIX as a table | ISBN13=ean>sku>ean | Title=text>name | Format=kind | List price=gross?price | Net price=net?price | Availability code=num2 | Quantity on hand=qty>stock | Quantity on order=qty2',
  'Pipe trade, per metre and bar | Code=code>sku | Product=text>name | Price per metre=unit?price | Price per length=gross?price | Length m=few | Stock (lengths)=qty>stock',
  // Marketplaces
  'Walmart | SKU=code>sku | Product ID Type=ptype | Product ID=ean>ean | Product Name=text>name | Selling Price=gross>price | MSRP=rrp>price_compare | Shipping Weight (lbs)=kg>weight | Main Image URL=image | Inventory Count=qty>stock',
  'Zalando partner | partner_article_id=code>sku | partner_merchant_sku=parent | ean=ean>ean | name=text>name | regular_price_eur=gross>price | promotional_price_eur=promo | stock=qty>stock | size=kind',
  'Otto market | productReference=parent | sku=code>sku | ean=ean>ean | productTitle=text>name | standardPrice.amount=gross>price | standardPrice.currency=currency>currency | sale.salePrice.amount=promo | msrp.amount=rrp>price_compare | vat=vat',
  'Meta catalogue | id=code>sku | item_group_id=parent | title=text>name | availability=avail | condition=wear | price=priced>price | sale_price=promo | quantity_to_sell_on_facebook=qty>stock | link=url | image_link=image | google_product_category=num2 | status=published>status',
  'Coupang, Korean | 업체상품코드=code>sku | 등록상품명=text>name | 정상가=rrp?price | 할인가=gross?price | 재고수량=qty>stock | 최대구매수량=few | 대표이미지=image',
  // Languages
  'Serbian, Cyrillic | Шифра артикла=code>sku | Назив артикла=text>name | Малопродајна цена=gross>price | Набавна цена=cost | Стање залиха=qty>stock | Баркод=ean>ean',
  'Bulgarian | Код на артикул=code>sku | Наименование=text>name | Продажна цена с ДДС=gross>price | Доставна цена=cost | Наличност=qty>stock | Тегло (кг)=kg>weight',
  'Macedonian | Шифра=code>sku | Назив=text>name | Продажна цена=gross>price | Набавна цена=cost | Залиха=qty>stock',
  'Albanian | Kodi=code>sku | Emri i artikullit=text>name | Çmimi i shitjes=gross?price | Çmimi i blerjes=cost?price | Sasia=qty>stock',
  'Georgian | კოდი=code>sku | დასახელება=text>name | გასაყიდი ფასი=gross?price | შესყიდვის ფასი=cost?price | ნაშთი=qty>stock',
  'Armenian | Կոդ=code>sku | Անվանում=text>name | Վաճառքի գին=gross?price | Գնման գին=cost?price | Մնացորդ=qty>stock',
  'Urdu | پروڈکٹ کوڈ=code>sku | پروڈکٹ کا نام=text>name | فروخت قیمت=gross>price | خرید قیمت=cost | مقدار=qty>stock',
  'Hebrew, with and without tax | מק״ט=code>sku | תיאור פריט=text>name | מחיר כולל מע״מ=gross>price | מחיר לפני מע״מ=net | כמות במלאי=qty>stock | ברקוד=ean>ean',
  'Arabic, wholesale and retail | كود الصنف=code>sku | اسم الصنف=text>name | سعر المفرد=gross>price | سعر الجملة=cost | الرصيد=qty>stock | الباركود=ean>ean',
  'Hindi | उत्पाद कोड=code>sku | उत्पाद का नाम=text>name | विक्रय मूल्य=gross?price | क्रय मूल्य=cost?price | स्टॉक=qty>stock',
  'Bengali | পণ্য কোড=code>sku | পণ্যের নাম=text>name | বিক্রয় মূল্য=gross?price | ক্রয় মূল্য=cost?price | মজুদ=qty>stock',
  'Thai | รหัสสินค้า=code>sku | ชื่อสินค้า=text>name | ราคาขาย=gross>price | ราคาทุน=cost | จำนวนคงเหลือ=qty>stock | น้ำหนัก=kg>weight',
  'Chinese, Taiwan | 商品編號=code>sku | 商品名稱=text>name | 售價=gross>price | 成本=cost | 建議售價=rrp>price_compare | 安全庫存=min | 庫存數量=qty>stock | 國際條碼=ean>ean',
  'Japanese, per case | 品番=code>sku | 品名=text>name | 単価（税抜）=net | 販売単価（税込）=gross>price | 入数=few | 在庫=qty>stock | 発注点=min',
  'Swahili | Namba ya bidhaa=code>sku | Jina la bidhaa=text>name | Bei ya kuuza=gross?price | Bei ya kununua=cost?price | Idadi iliyopo=qty>stock',
  'Welsh | Cod y cynnyrch=code>sku | Enw=text>name | Pris gwerthu=gross?price | Pris prynu=cost?price | Stoc=qty>stock',
  'Kazakh and Russian | Артикул=code>sku | Атауы=text>name | Сату бағасы=gross?price | Сатып алу бағасы=cost?price | Қалдық=qty>stock',
];
