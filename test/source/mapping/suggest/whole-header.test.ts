// A column is taken in silence only where its whole header is known: what is left of others is named in a question.
import { describe, expect, it } from 'vitest';
import { type GuardedField, unknownIn } from '../../../../src/source/mapping/suggest/whole-header.js';
import { suggested } from '../../suggested.js';

/** The headers of a text, parted by bars. */
const headersOf = (text: string): readonly string[] => text.trim().split(/\s*\|\s*/);

/** Rows of three products with the given values in the last columns. */
const feed = (header: string, rows: readonly string[]): string =>
  [`SKU;Name;${header}`, ...rows.map((row, i) => `A-${i};${['Lamp', 'Chair', 'Table'][i]};${row}`)].join('\n');

/** Headers that shops write themselves, by field: nothing of them is left. */
const ownHeaders: Readonly<Partial<Record<GuardedField, string>>> = {
  price: `
    Preis | Preis in EUR | Preis [€] | VK | VK-Preis | VK brutto | Bruttopreis | Verkaufspreis | Preis inkl. 19% MwSt. | Ladenpreis |
    Einzelpreis | Stückpreis | Artikelpreis | Endkundenpreis | Price | Unit price | Price (USD) | Price incl. VAT | Retail price |
    Selling price | Item price | Gross price | Consumer price | Prix TTC | Prix de vente TTC | Prix unitaire TTC (€) |
    Prix public TTC | PV TTC | Tarif TTC | Precio de venta | Precio venta público | P.V.P. | Precio IVA incluido | Precio unitario |
    Prezzo di vendita | Prezzo al pubblico | Prezzo IVA inclusa | Prezzo ivato | Preço de venda | Preço c/ IVA | Preço final |
    Verkoopprijs incl. btw | Stukprijs | Winkelprijs | Consumentenprijs | Cena brutto | Cena sprzedaży | Cena detaliczna | Cena (zł) |
    Prodejní cena s DPH | Maloobchodní cena | Cena za kus | Predajná cena | Cena s DPH (€) | Eladási ár | Bruttó eladási ár |
    Kiskereskedelmi ár | Ár (Ft) | Áfás ár | Preț cu TVA | Preț de vânzare | Försäljningspris | Utpris | Pris inkl. moms | Styckpris |
    Salgspris | Udsalgspris | Stykpris | Utsalgspris | Pris inkl. mva | Myyntihinta | Verollinen hinta | Hinta (alv 24 %) | Hinta sis. alv |
    Satış Fiyatı (KDV Dahil) | Perakende Fiyat | Birim Fiyat | Цена с НДС | Розничная цена руб. | Цена за шт. | Роздрібна ціна |
    Ціна з ПДВ | Продажна цена | Цена на дребно | Maloprodajna cijena | Cijena s PDV-om | Cena z DDV | Λιανική τιμή | Τιμή με ΦΠΑ |
    Müügihind | Jaehind | Pārdošanas cena | Cena ar PVN | Pardavimo kaina | Kaina su PVM | 販売価格(税込) | 通常価格 | 売価 | 销售价 |
    零售价 | 含税价 | 价格（元） | 售價 | 판매가 | 판매단가 | سعر البيع | מחיר לצרכן | Giá bán lẻ | Harga Jual | ราคาขาย | price_eur |
    Variant Price | g:price | price.amount | prices.retail | AR_PrixVen | BuyItNowPrice | VK ab 01.02.2026`,
  price_compare: `
    UVP | UVP inkl. MwSt. | UVP brutto | MSRP | RRP | RRP incl. VAT | List price | Old price | Compare at price |
    Recommended retail price | Suggested retail price | Manufacturer's suggested retail price |
    Unverbindliche Preisempfehlung | Empfohlener Verkaufspreis | Listenpreis | Streichpreis | Alter Preis | Statt-Preis |
    Prix public conseillé | Prix conseillé TTC | Prix barré | Ancien prix | Precio recomendado | Precio anterior | PVPR |
    PVP recomendado | Prezzo consigliato | Prezzo di listino consigliato | Preço recomendado | Adviesprijs |
    Adviesprijs incl. BTW | Adviesverkoopprijs | Cena sugerowana | Sugerowana cena detaliczna | Doporučená cena |
    Původní cena | Odporúčaná cena | Ajánlott ár | Ajánlott fogyasztói ár | Preț recomandat | PRP | Vejledende pris |
    Vejledende udsalgspris | Vejl. pris | Veiledende pris | Veil. pris | Rekommenderat pris | Rek. pris | Ordinarie pris |
    Suositushinta | Suositeltu hinta | OVH | Tavsiye edilen fiyat | Eski fiyat | Рекомендованная цена | Старая цена |
    Рекомендована ціна | Стара ціна | Стара цена | 市场价 | 定価 | 定价 | 原价 | 정가 | 소비자가 | Regular price | msrp_price |
    list_price_gross | msrp.amount | price_old | oldprice | Giá so sánh`,
  stock: `
    pl_stock | wert[@name=stock] | specs[name=stock].value | Stock | Stock quantity | Lagerbestand | Verfügbarer Bestand | Menge | Anzahl | Auf Lager | Stock dispo | Quantité |
    Quantité en stock | Stock disponible | Qté | Existencias | Stock actual | Unidades disponibles | Giacenza |
    Quantità disponibile | Disponibilità | Estoque | Stock disponível | Quantidade em stock | Qtd | Voorraad |
    Aantal op voorraad | Vrije voorraad | Stan magazynowy | Ilość | Liczba sztuk | Skladem | Množství | Počet kusů |
    Na sklade | Skladom | Készlet | Raktárkészlet | Mennyiség | Stoc | Stoc disponibil | Cantitate | Lagersaldo | Antal |
    Antal i lager | I lager | Lagerbeholdning | På lager | Antall på lager | Beholdning | Varasto | Varastosaldo | Määrä |
    Vapaa saldo | Stok | Stok Miktarı | Stok Adedi | Miktar | Остаток | Остаток на складе | Количество | Кол-во | Наличие |
    В наличии | Залишок | Кількість | Наличност | Količina | Zaliha | Stanje zaliha | Zaloga | Απόθεμα |
    Διαθέσιμη ποσότητα | Ποσότητα | Laoseis | Kogus | Atlikums | Daudzums | Likutis | Kiekis | 在庫 | 在庫数 | 在庫数量 | 数量 | 库存 |
    库存数量 | 可用库存 | 当前库存 | 재고 | 재고수량 | 현재고 | 수량 | المخزون | الكمية | الكمية المتوفرة | מלאי | כמות במלאי | יתרה במלאי |
    Tồn kho | Số lượng tồn kho | Stok tersedia | คงเหลือ | จำนวนคงเหลือ | stock_quantity | qty_available | Inventory Qty |
    inventory_quantity | Available quantity | Quantity on hand | In Stock | On hand | Variant Inventory Qty |
    Current Stock | stockLevel`,
  ean: `
    EAN | EAN13 | EAN-13 | GTIN | EAN Code | EAN-Code | Barcode | Barcode (EAN) | EAN/UPC | UPC Code | Code-barres |
    Code barre | Código de barras | Codice a barre | Codice EAN | Código EAN | Kod kreskowy | Kod EAN | Čárový kód |
    Čiarový kód | EAN kód | Vonalkód | Cod de bare | Cod EAN | Streckkod | EAN-kod | Stregkode | Strekkode | EAN-nummer |
    GTIN/EAN | Viivakoodi | EAN-koodi | Barkod | Barkod No | Штрихкод | Штрих-код | Баркод | Barkodas | Svītrkods |
    Ribakood | JANコード | バーコード | 条形码 | 条码 | 商品条码 | 國際條碼 | 바코드 | الباركود | ברקוד | Mã vạch | บาร์โค้ด | Variant Barcode |
    gtin13 | g:gtin | Product UPC/EAN | ean_code | barcode | Γραμμωτός κώδικας | GTIN (EAN) | Artikel-EAN |
    International Barcode`,
  weight: `
    Weight | Weight (kg) | Gewicht | Gewicht kg | Gewicht (g) | Poids | Poids (kg) | Peso | Peso netto | Waga | Hmotnost |
    Vikt (g) | Vekt | Paino kg | Вес | Вес (кг) | Product Weight | weight_grams | Variant Grams  |
    Nettogewicht | Item weight | Ağırlık | 重量 | 重量(kg) | weight.value | Βάρος | Tömeg (kg) | Greutate |
    Artikelgewicht`,
  name: `Name | Product name | Artikelname | Artikelbezeichnung | Item Name | Nom du produit | Nazwa produktu | 商品名 | name-en`,
};

/** Headers that have a word of the field, and another one: what of them is left. */
const otherHeaders: Readonly<Partial<Record<GuardedField, readonly string[]>>> = {
  price: [
    ...[
      'Partnerpreis: Partner',
      'Partner price: Partner',
      'Prix partenaire: partenaire',
      'Cena partnerska: partnerska',
    ],
    ...[
      '仕切価格: 仕切',
      '業者価格: 業者',
      '会員価格: 会員',
      '供货价: 供货',
      '一件代发价: 一件代发',
      '회원가: 회원가',
      'מחיר לסוכן: לסוכן',
    ],
    ...[
      'Prezzo forn.: forn',
      'Inpris: In',
      'Innpris: Inn',
      'F-pris: F',
      'Återförsäljarpris: Återförsäljar',
      'Jälleenmyyjähinta: Jälleenmyyjä',
    ],
    ...[
      'Werksabgabepreis: Werksabgabe',
      'Preço de revenda: revenda',
      'Cena hurt: hurt',
      'Veleprodajna cijena: Veleprodajna',
    ],
    ...[
      'Цена дилера: дилера',
      'Giá sỉ: sỉ',
      'Harga grosir: grosir',
      'Veroton hinta: Veroton',
      'Price/dz: dz',
      'Price pr. 1000: 1000',
    ],
    ...[
      'Unit price (100): 100',
      '参考価格: 参考',
      '吊牌价: 吊牌',
      'P.V.P. rec.: rec',
      'Cirkapris: Cirka',
      'Liste Fiyatı: Liste',
    ],
    ...[
      'Mitarbeiterpreis: Mitarbeiter',
      'VIP price: VIP',
      'Prix pro: pro',
      'Preis VPE: VPE',
      'In pris: In',
      'Precio socio: socio',
    ],
    ...[
      'prices.partner: partner',
      'prices[type=partner].amount: partner',
      'VK Schweiz: Schweiz',
      'Agentúrna cena: Agentúrna',
    ],
  ],
  stock: [
    ...[
      '仕入先在庫: 仕入先',
      '最低在庫: 最低',
      '安全库存: 安全',
      '공급사재고: 공급사',
      '최소주문수량: 최소주문',
      'Leverandørlager: Leverandør',
    ],
    ...[
      'Fjernlager: Fjern',
      'Sklad dodavatele: dodavatele',
      'Magazyn zewnętrzny: zewnętrzny',
      'Beszállítói készlet: Beszállítói',
    ],
    ...[
      'Qty per box: per box',
      'Cant. bax: Cant bax',
      'Koli Adedi: Koli',
      '装箱数: 装箱数',
      'stock[@place=North]: North',
      'Zulaufmenge: Zulaufmenge',
    ],
  ],
  ean: [
    ...[
      'DUN14: DUN 14',
      'GTIN-14: 14',
      'GTIN VPE: VPE',
      'Outer EAN: Outer',
      'ケースJAN: ケース',
      '箱码: 箱码',
      'EAN cutie: cutie',
      'SSCC: SSCC',
    ],
    ...[
      'Old EAN: Old',
      'EAN alt: alt',
      'Koli Barkodu: Koli',
      '外箱条码: 外箱',
      'Vonalkód gyűjtő: gyűjtő',
      'Barcode 2: 2',
      'parent_ean: parent',
    ],
  ],
  weight: [
    'Shipping weight: Shipping',
    'Gewicht g/m²: m',
    'Weight g/m: m',
    'Körpergewicht kg: Körper',
    'Max weight: Max',
    'Batterigewicht: Batteri',
    'Rider weight: Rider',
  ],
  name: ['Size name: Size', 'Shade name: Shade', 'Supplier name: Supplier', '系列名: 系列'],
};

describe.each(Object.entries(ownHeaders))('of the headers of a shop for %s', (field, text) => {
  it.each(headersOf(text))('%s: nothing is left', (header) => {
    expect(unknownIn(header, field as GuardedField)).toBeUndefined();
  });
});

describe.each(Object.entries(otherHeaders))('of the other headers with a word of %s', (field, headers) => {
  it.each(headers.map((line) => line.split(': ') as [string, string]))('%s: %s is left', (header, unknown) => {
    expect(unknownIn(header, field as GuardedField)).toBe(unknown);
  });
});

describe('the price', () => {
  it('of several that are numbered is asked without a remark that a number is not known', async () => {
    const { asked } = await suggested(feed('Preis A;Preis B', ['12,50;24,90', '8,00;19,90', '3,10;5,90']));
    expect(asked['price']?.['Preis B']).toMatch(/^always above "Preis A"/);
    const alone = await suggested(feed('Preis B', ['24,90', '19,90', '5,90']));
    expect(alone.asked['price']).toEqual({ 'Preis B': '"B" is not known: say whether it is the selling price' });
  });

  const remark = (word: string) => `"${word}" is not known: say whether it is the selling price`;

  it.each([
    ['Partnerpreis;UVP', ['12,50;24,90', '8,00;15,90', '3,10;5,90'], 'Partnerpreis', 'Partner'],
    ['仕切価格;定価', ['1240;2490', '800;1590', '310;590'], '仕切価格', '仕切'],
    ['Partner price;Retail', ['12.50;£24', '8.00;£15', '3.10;£5'], 'Partner price', 'Partner'],
    ['仕切価格;上代', ['1,240円;2,490円', '800円;1,590円', '310円;590円'], '仕切価格', '仕切'],
    ['Prezzo partner;Listino', ['12,50;24,90', '8,00;15,90', '3,10;5,90'], 'Prezzo partner', 'partner'],
    ['Preço revendedor;', ['12,50;', '8,00;', '3,10;'], 'Preço revendedor', 'revendedor'],
  ] as const)(
    'of which a part of the header is unknown is asked, and what else it could be: %s',
    async (header, rows, column, word) => {
      const { fields, asked } = await suggested(feed(header, rows));
      expect(fields).not.toHaveProperty('price');
      const columns = header.split(';').filter((one) => one !== '');
      expect(Object.keys(asked['price'] ?? {}).sort()).toEqual([...columns].sort());
      expect(asked['price']?.[column]).toContain(remark(word));
    },
  );

  it.each([
    ['Verkoopprijs', 'Adviesprijs'],
    ['售价', '市场价'],
    ['Udsalgspris', 'Vejl. pris'],
    ['Pret vanzare cu TVA', 'PRP'],
  ])(
    'of which the whole header is known needs no question next to a reference price: %s, %s',
    async (price, reference) => {
      const rows = ['12,50;24,90', '8,00;15,90', '3,10;5,90'];
      const { fields, asked } = await suggested(feed(`${price};${reference}`, rows));
      expect(fields).toMatchObject({ price, price_compare: reference });
      expect(asked).not.toHaveProperty('price');
    },
  );

  it('is the column whose header is known, of two with the same amounts', async () => {
    const { fields } = await suggested(feed('Webpreis X;Preis', ['12,50;12,50', '8,00;8,00', '3,10;3,10']));
    expect(fields).toMatchObject({ price: 'Preis' });
  });

  it('of a list is asked where a part of its header is unknown', async () => {
    const { fields, asked } = await suggested(feed('Preis;UVP Kita', ['12,50;24,90', '8,00;15,90', '3,10;5,90']));
    expect(fields).toMatchObject({ price: 'Preis' });
    expect(asked['price_compare']).toEqual({
      'UVP Kita': '"Kita" is not known: say whether it is the reference price',
    });
  });
});

describe('the barcode', () => {
  const codes = ['4006381333931', '4006381333948', '5901234123457'];

  it.each(['DUN14', 'GTIN VPE', 'Outer EAN', 'ケースJAN', '箱码', 'EAN cutie', 'Old EAN', 'parent_ean'])(
    'is asked about under %s, and is the one whose header is known next to it',
    async (header) => {
      const alone = await suggested(
        feed(
          `Preis;${header}`,
          codes.map((code, i) => `${i},50;${code}`),
        ),
      );
      expect(alone.fields).not.toHaveProperty('ean');
      expect(alone.asked['ean']?.[header]).toContain('is not known: say whether it is the barcode of a single product');
      const rows = codes.map((code, i) => `${code};${codes[(i + 1) % 3]}`);
      const { fields, asked } = await suggested(feed(`${header};EAN`, rows));
      expect(fields).toMatchObject({ ean: 'EAN' });
      expect(asked).not.toHaveProperty('ean');
    },
  );
});

describe('the name', () => {
  it.each([
    ['Style;Size name;Colour name', ['Polo shirt;S;Red', 'Polo shirt;M;Red', 'Polo shirt;L;Red'], 'Size name', 'Size'],
    ['Product;Shade name', ['Lip balm;Rose', 'Lip balm;Coral', 'Nail polish;Plum'], 'Shade name', 'Shade'],
  ] as const)(
    'of something unknown is asked where another text could be it: %s',
    async (header, rows, column, word) => {
      const lines = [`SKU;Price;${header}`, ...rows.map((row, i) => `A-${i};1.50;${row}`)];
      const { fields, asked } = await suggested(lines.join('\n'));
      expect(fields).not.toHaveProperty('name');
      expect(asked['name']?.[column]).toContain(`"${word}" is not known: say whether it is the name of the product`);
    },
  );

  it('is taken where nothing else could be it', async () => {
    const { fields } = await suggested('SKU;Price;Wine name\nA-1;1.50;Red hill\nA-2;2.50;Blue valley\n');
    expect(fields).toMatchObject({ name: 'Wine name' });
  });
});

describe('the weight', () => {
  it.each([
    ['Gewicht g/m²', 'm'],
    ['Körpergewicht kg', 'Körper'],
  ])('under %s is asked', async (header, word) => {
    const { fields, asked } = await suggested(feed(`Preis;${header}`, ['1,50;80', '2,50;120', '3,50;200']));
    expect(fields).not.toHaveProperty('weight');
    expect(asked['weight']?.[header]).toContain(`"${word}" is not known: say whether it is the weight of the product`);
  });
});

describe('the slug', () => {
  it.each(['Händler', 'Händlerpreis', 'Handle type'])('is not filled by %s', async (header) => {
    const { fields } = await suggested(feed(`Price;${header}`, ['1.50;19,02', '2.50;22,10', '3.50;24,90']));
    expect(fields).not.toHaveProperty('slug');
  });

  it.each(['Handle', 'URL handle', 'url_key'])('is filled by %s', async (header) => {
    const { fields } = await suggested(feed(`Price;${header}`, ['1.50;red-lamp', '2.50;oak-chair', '3.50;desk']));
    expect(fields).toMatchObject({ slug: header });
  });
});
