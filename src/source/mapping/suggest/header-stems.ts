// Beginnings of words in headers, in the languages of suppliers: `Satış Fiyatı (KDV Dahil)` is a price by `fiyat`. They
// count after the whole words of header-words.ts.

/** A header that has one of `not` is not the field's; of several that have a stem, that of the first stem is taken. */
interface HeaderStems {
  readonly stems: string;
  readonly not: string;
}

/** Barcodes. */
const barcodes =
  'barcode barkod barkód barkode ean gtin upc isbn jan strichcode vonalkód čárový čiarový штрих штрих-код γραμμωτό ' +
  'bars brūkšnin svītrkod kreskow vạch bar barre barra barras bare บาร์โค้ด 条码 条形 條碼 バーコード 바코드 باركود بارکد ברקוד';
/** Reduced prices, and those that the shop pays itself. */
const otherPrices =
  'sale special promo offer deal discount angebot aktion sonder rabatt rebajad ofert descuent scont sold réduit remise ' +
  'akcij akce akčn akciós kampan indirim kedvezm zľav slev скид акци знижк προσφορ 特価 促销 優惠 할인 تخفيض ' +
  'cost costo coste kosten einkauf purchase achat compra acquisto zakup nákup beszerz alış закуп собест себест ' +
  'αγορ 进价 成本 仕入 원가 شراء קנייה ostohint inköp innkjøp indkøb inkoop';
const measures =
  'weight gewicht width height length depth size tax rate rating percent date datum year day tage days shipping versand ' +
  'lieferung class klasse unit einheit currency';
const otherNames =
  'brand marke marca marque merk hersteller producent producer manufactur fabricant výrobc výrobca бренд марка categor ' +
  'kategor catégor group gruppe grupo vendor supplier lieferant file image bild attribut option seo meta author shop url ' +
  'custom kunde unit tax steuer class klasse type typ variation currency color colour farbe';
const otherCodes =
  'categor kategor catégor group gruppe grupo family brand marke marca currency währung tax steuer zip post plz colo ' +
  'farbe parent supplier lieferant manufactur hersteller hs customs zoll ncm cest unit einheit country land size discount ' +
  'promo lang language status type typ warehouse lager';

const byField: Readonly<Record<string, HeaderStems>> = {
  ean: {
    stems: `${barcodes} internationalpid`,
    not: 'type typ',
  },
  price: {
    stems:
      'price preis prix prezz preci preç cena ceny cenik cijena цена ціна τιμή fiyat hinta hind pris pret preț kaina ár giá ' +
      'harga ราคา 価格 单价 售价 售價 售 价 價 価 가격 판매가 سعر السعر قیمت מחיר मूल्य कीमत kain tarif pvp mpc vkp vk uvp',
    not: `${otherPrices} ${measures} compare old alt ancien anterior mengen staffel bulk stock min max`,
  },
  stock: {
    stems:
      'stock stok stoc stoks bestand lagerbestand lagersaldo onhand hand qty quantit inventory inventar inventa available ' +
      'verfügbar disponib dispon voorraad giacenz existenc estoque zásob skladem sklad zalih készlet varasto beholdning saldo ' +
      'απόθεμ υπόλοιπ διαθέσιμ остат налич залиш кількіст количеств наличн likut atlikum laoseis kogus คงเหลือ สต็อก จำนวน 在庫 ' +
      '庫存 库存 재고 المخزون مخزون كمية الكمية موجودی تعداد מלאי יתרה tồn स्टॉक मात्रा menge množstv ilość količin mennyis ' +
      'cantid cantit aantal antal miktar jumlah unidades lager',
    not: `min max alert threshold low warn melde reorder status track code price preis wert value ${measures} order bestell pack`,
  },
  sku: {
    stems:
      'sku ugs artikelnr artnr artikelnummer itemno itemcode code kode kod kód kodu código codigo codice cod κωδικ код ' +
      'артикул référence reference referenc réf ref šifra cikkszám รหัส 商品番号 品番 编号 編號 货号 貨號 번호 코드 رقم كود کد ' +
      'מקט מק उत्पाद कोड nummer number numer numéro número numero nr no mã model',
    not: `${barcodes} ${otherCodes} name order`,
  },
  name: {
    stems:
      'name nom nombre nome naam nazwa název naziv denum denominaz bezeich benenn benämn betegn title titel titre título ' +
      'titolo désign design libell tên ชื่อ 品名 商品名 名称 名稱 标题 標題 상품명 이름 اسم نام שם नाम ürün ad adı назван наимен найменув όνομα ' +
      'περιγραφ תיאור описан pavadinim nosaukum nimet nimi varenavn omschrijv descri artikel article artículo articolo product ' +
      'produkt produit producto prodotto produto товар 商品 品',
    not: `${otherNames} ${barcodes} code nr no number id long lang html body short kurz note status price stock qty`,
  },
};

/** Scripts that write words together, or put articles before them: a stem may be anywhere in a word. */
const joined = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}]/u;
/** The shortest stem that may begin a longer word, or end a compound. */
const shortest = 4;

const lists = Object.fromEntries(
  Object.entries(byField).map(([field, { stems, not }]) => [field, { stems: stems.split(' '), not: not.split(' ') }]),
);

/** The words of a header, in lower case: `Brutto-VK` and `grossPrice` have two each. */
function wordsOf(header: string): string[] {
  const parted = header.normalize('NFC').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return parted.toLowerCase().match(/[\p{L}\p{M}]+(?:["'’״׳][\p{L}\p{M}]+)*/gu) ?? [];
}

function hasStem(words: readonly string[], stem: string): boolean {
  if (joined.test(stem)) return words.some((word) => word.replace(/["'’״׳]/gu, '').includes(stem));
  return words.some(
    (word) => word === stem || (stem.length >= shortest && (word.startsWith(stem) || word.endsWith(stem))),
  );
}

/** The rank of the stem of a field in a header; -1 if there is none, or another word says that it is not the field's. */
export function stemRank(header: string, field: string): number {
  const list = lists[field];
  if (list === undefined || isQuestion(header)) return -1;
  const words = wordsOf(header);
  const rank = list.stems.findIndex((stem) => hasStem(words, stem));
  return rank === -1 || list.not.some((stem) => hasStem(words, stem)) ? -1 : rank;
}

/** Whether a header is a question, which cells answer by yes or no: `En stock ?`. */
export function isQuestion(header: string): boolean {
  return /[?？\u037e؟¿]/u.test(header);
}

/** Words of prices without taxes: those with them come first. */
const net = /(?:^|[^\p{L}])(?:net|netto|excl\p{L}*|exkl\p{L}*|ex|ht|ohne|hors|sin|senza|bez|без)(?!\p{L})/iu;

/** Whether a header says that its amounts are without taxes. */
export function isNet(header: string): boolean {
  return net.test(header.replace(/[_-]/g, ' '));
}

/** Whether a header is of a reduced price, or of what the shop pays; of a path the last part counts. */
export function isOtherPrice(header: string): boolean {
  const words = wordsOf(header.split(/[.:@](?=\S)/).at(-1) ?? '');
  return otherPrices.split(' ').some((stem) => hasStem(words, stem)) && !/^(?:sales|sellings?)$/iu.test(words[0] ?? '');
}
