// Words of headers, in the languages that suppliers use, with the field that they indicate.

/** Words by field, without case, blanks and punctuation; of several matching columns the one whose word comes first is taken. */
const words: Readonly<Record<string, string>> = {
  sku:
    'sku artnr artno articleno artikelnummer artikelnr articlenumber itemnumber itemno partnumber productcode variantsku ' +
    'bestellnummer referenz reference référence codeart codigo stylecode setnum codice артикул stokkodu ' +
    'indeks 商品コード 品番 商品番号 货号 商品编码 itemcode رمزالمنتج رمزالصنف كود mãsảnphẩm 상품코드 ref clave matnr productid ' +
    'código codigoproduto articlecode referência référenceproduit supplierpid supplieraid itemsku sellersku ' +
    '商品管理番号 商品管理番号商品url kód cikkszám kodproduktu kodtowaru tuotekoodi artikkelinummer varenummer varenr koodi ' +
    'κωδικός รหัสสินค้า kodeproduk mãsp מקט codeoncard cod codprodus šifra sifra арт кодтовару ' +
    'кодтовара κωδικόςπροϊόντος kods prekėskodas tootekood 商品代碼 產品編號 貨號 מקטפריט numerodearticulo ugs referencia ordernumber productnumber produktnummer model',
  external_id: 'externalid reviewid',
  name:
    'name reviewername nickname bezeichnung artikelbezeichnung titel title produktname productname itemname ' +
    'nom désignation designation nombre nazwa naam labelenus productdisplayname descrizione название ' +
    'наименование назва ürünadı nome nazwatowaru nazwaproduktu 商品名 品名 商品名称 名称 اسمالمنتج الاسم 상품명 tênsảnphẩm ' +
    'descripcion descripción benämning maktx descrição descricao nomedoproduto nazev název megnevezés ' +
    'terméknév tuotenimi navn varenavn denumire naziv όνομα περιγραφή ชื่อสินค้า namaproduk tênsp שםהמוצר ' +
    'ürünismi titleshort titlelong shorttitle nomduproduit libellé libelle nomeprodotto artikelomschrijving ' +
    'productnaam tuote text bez kurztext artikeltext kurzbezeichnung artikelname materialkurztext nosaukums pavadinimas nimetus 商品名稱 產品名稱 品名稱 名稱 שםמוצר שםפריט ' +
    'номенклатура товар наименованиетовара названиетовара descriptionshort',
  description:
    'description beschreibung langtext longtext bodyhtml longdescription productdescription descripción ' +
    'omschrijving 商品説明 商品描述 الوصف opis описание опис açıklama descriptionlong descriptionshort pc用商品説明文 商品説明文 ' +
    '상품상세설명 descriçãodetalhada descrizionelunga popis leírás kuvaus beskrivelse beskrivning descriere ' +
    'opisproduktu longdesc descriptionlongue content',
  ean:
    'ean ean13 eancode gtin gtin13 barcode variantbarcode upc isbn jan jancode eans productupcean штрихкод ' +
    'internationalpid codigodebarras códigodebarras kodean vonalkód codebarres čárovýkód 바코드 条码 条形码 barkodno janコード 條碼 ברקוד svītrkods ean11 barkod productupc',
  price:
    'price preis vk vkbrutto verkaufspreis bruttopreis preisbrutto variantprice regularprice prix prixttc ' +
    'precio cena priceeur unitprice netprice pvp prezzo preço цена ціна fiyat pris hinta ár ราคา 価格 販売価格 单价 ' +
    '价格 السعر 가격 giá cenabrutto sellingprice verkoopprijs prijs standardprice salesprice productprice 판매가 零售价 ' +
    '售价 pricegross grossprice preçovenda preçodevenda precoventa precioventa prixpublic satışfiyatı fiyatı ' +
    'cenasprzedaży cenadetaliczna prodejnícena eladásiár myyntihinta utpris pret preț cijena τιμή harga ' +
    'giábán מחיר розничнаяцена ценаруб 표시가 가격원 표시가격 售價 價格 定價 kaina hind',
  price_compare:
    'pricecompare uvp msrp rrp listprice listenpreis variantcompareatprice streichpreis pseudoprice ' +
    'compareatprice productcomparetoprice retailprice oldprice priceold comparatprice precioanterior ' +
    'ancienprix 표시가격 정가 市场价',
  stock:
    'stock bestand lagerbestand menge quantity qty variantinventoryqty stockonhand quantité inventory 在庫数 在庫 ' +
    '库存 数量 الكمية المخزون 재고 stan stanmagazynowy остаток количество наличие залишок кількість stok stokadedi ' +
    'voorraad giacenza existencias estoque lager instock stocklevel currentstocklevel currentquantity ' +
    'quantityonhand stockquantity productquantity labst 재고수량 miktar stanmag sklad készlet saldo varasto ' +
    'beholdning stoc zaliha απόθεμα สต็อก stoktersedia tồnkho מלאי quantidade qtde lagerstand skladem skladom ' +
    'antal stockqty остатокнаскладе qté qte atlikums likutis laoseis 庫存數量 庫存 數量 כמות ilość množství mennyiség count',
  stock_threshold:
    'stockthreshold stockmin minstock lowstocklevel lowstockamount stockalertcount reorderpoint ' +
    'mindestbestand meldebestand',
  weight:
    'weight gewicht gewichtkg weightkg poids peso 重量 waga вес вага ağırlık pesokg poidskg hmotnost tömeg ' +
    'paino vekt vægt greutate 무게 重さ artikelgewicht productweight variantgrams grams gramm',
  category:
    'category categories kategorie warengruppe catégorie categoría kategoria категория категорія группа група ' +
    'カテゴリー カテゴリ 分类 类别 الفئة 카테고리 kategori categoria rubriek productcategory producttype type grupo 상품분류 ' +
    'categoriaprincipal kategorie1 kategóriák osasto categorie catégorieprincipale grupatowarowa gruppo ' +
    'famille família familia',
  currency:
    'currency währung waehrung devise waluta валюта 通貨 货币 العملة moneda valuta parabirimi waers moeda měna ' +
    'pénznem valuutta monedă valută 通货 통화 para pricecurrency currencycode currencyid waers',
  status: 'status',
  condition: 'condition zustand',
  seo_title: 'seotitle metatitle',
  seo_description: 'seodescription metadescription',
  slug: 'slug urlkey handle urlrewritten',
  tag: 'tag tags schlagworte keywords etiquetas tagi',
  parent: 'parent parentcategory parentid übergeordnet oberkategorie',
  position: 'position sortorder sortierung',
  reference: 'reference categoryid code',
  unit: 'unit einheit unité',
  kind: 'kind attributetype',
  values: 'values options werte',
  axes: 'axes options',
  rating: 'rating stars bewertung note score valutazione calificación ocena',
  text: 'text review comment kommentar detail body reviewbody reviewtext message content',
  customer_external_id:
    'customer customerid customerexternalid kunde kundennummer reviewerid revieweremail customeremail email',
  product_sku: 'productsku sku product',
};

/** Words that headers are made of, by the field that they name. */
export const headerWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(words).map(([field, list]) => [field, list.split(' ')]),
);
