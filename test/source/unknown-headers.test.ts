// Feeds whose headers no list of whole words has: what inspect finds by the beginnings of words, and by values.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

const codes = ['4006381333931', '4006381333948', '5901234123457'];

describe('headers in many languages', () => {
  it.each([
    [
      'Turkish',
      'Ürün Kodu;Ürün Adı;Satış Fiyatı (KDV Dahil);Stok Miktarı;Barkod',
      'TR-1;Şişe;1.234,50 TL;12;',
      'TR-2;Tava;89,90 TL;0;',
    ],
    [
      'Greek',
      'Κωδικός είδους;Περιγραφή είδους;Λιανική τιμή;Υπόλοιπο;Barcode',
      'G1;Καφετιέρα;49,90 €;14;',
      'G2;Μίξερ;1.029,00 €;2;',
    ],
    [
      'Japanese',
      '商品番号;商品名;販売価格(税込);在庫数量;JANコード',
      'J-1;折りたたみ傘;￥12,800;5;',
      'J-2;ボトル;￥980;9;',
    ],
    ['Arabic', 'رقم الصنف;اسم الصنف;سعر البيع;الكمية المتوفرة;الباركود', 'AR-1;قميص;١٢٫٥٠;١٥;', 'AR-2;حذاء;٢٤٩٫٠٠;٣;'],
    [
      'Vietnamese',
      'Mã hàng;Tên hàng hóa;Giá bán lẻ;Tồn kho;Mã vạch',
      'S1;Áo sơ mi;1.250.000 ₫;12;',
      'S2;Quần;450.000 ₫;7;',
    ],
    ['Thai', 'รหัสสินค้า;ชื่อสินค้า;ราคาขาย;คงเหลือ;บาร์โค้ด', 'T1;ปากกา;15.50;100;', 'T2;สมุด;25.00;20;'],
    ['Korean', '상품번호;상품이름;판매가격;재고;바코드번호', 'K1;이어폰;129000;12;', 'K2;배터리;35900;0;'],
    ['Chinese', '商品编号;商品标题;销售价;库存数;条形码', 'C1;保温杯;128.00;36;', 'C2;音箱;1299.50;4;'],
    [
      'Hebrew, with a quote in the header',
      'מק"ט;תיאור פריט;מחיר לצרכן;יתרה במלאי;ברקוד',
      'I1;שולחן עץ;1,299.90;4;',
      'I2;כיסא;89.00;25;',
    ],
    ['Hindi', 'उत्पाद कोड;उत्पाद का नाम;मूल्य;स्टॉक;बारकोड ean', 'H1;बोतल;45.50;5;', 'H2;कलम;12.00;9;'],
    ['Croatian', 'Šifra artikla;Naziv artikla;MPC (EUR);Količina;Barkod', 'A;Čekić;12,49;15;', 'B;Ključ;1.005,00;2;'],
    [
      'Italian',
      'Codice articolo;Descrizione;Prezzo al pubblico;Disponibilità;Codice a barre',
      'I1;Caffettiera;24,90;10;',
      'I2;Pentola;1.149,00;2;',
    ],
    [
      'Spanish',
      'Referencia;Artículo;P.V.P.;Unidades disponibles;Código EAN',
      'E1;Sartén;34,95;12;',
      'E2;Olla;1.129,00;1;',
    ],
    [
      'Romanian',
      'Cod produs;Denumire produs;Preț cu TVA (RON);Stoc disponibil;Cod de bare',
      'R1;Ciocan;35,99;8;',
      'R2;Găleată;12,00;30;',
    ],
  ])('%s', async (_, header, ...rows) => {
    const lines = [header, ...rows.map((row, i) => row + codes[i])];
    const [sku, name, price, stock, ean] = header.split(';');
    expect((await suggested(`${lines.join('\n')}\n`)).fields).toMatchObject({ sku, name, price, stock, ean });
  });

  it('the barcode is the key only where nothing else is, and the name is found by its words', async () => {
    const values = codes.map((code, i) => `${code};${['Red tea pot', 'Tea cup, blue', 'Milk jug'][i]};${i}.50`);
    const { fields } = await suggested(`X;Y;Preis\n${values.join('\n')}\n`);
    expect(fields).toEqual({ sku: 'X', name: 'Y', price: 'Preis' });
    const keyed = await suggested(`X;Y;Preis;N\n${values.map((row, i) => `${row};N-${i}`).join('\n')}\n`);
    expect(keyed.fields).toEqual({ sku: 'N', name: 'Y', price: 'Preis' });
    expect(keyed.asked['ean']?.['X']).toContain('"X" is not known: say whether it is the barcode of a single product');
  });
});

it('texts under a header of another meaning are not the names', async () => {
  const { fields } = await suggested(
    'sku;price;Comment\nA;1,50;old stock, ask\nB;2,50;new in May\nC;3,50;to be sold\n',
  );
  expect(fields).toEqual({ sku: 'sku', price: 'price' });
});

describe('of several prices', () => {
  it.each([
    ['sku;Name;Angebotspreis;Regulärer Preis', 'A;One;9,90;12,50', 'Regulärer Preis'],
    ['SKU,Nombre,Precio rebajado,Precio normal', 'A,One,9.90,12.50', 'Precio normal'],
    ['UGS,Nom,Tarif promo,Tarif régulier', 'A,One,9.90,12.50', 'Tarif régulier'],
    ['Reference;Name;Price (tax excl.);Price (tax incl.)', 'A;One;10.504202;€12.50', 'Price (tax incl.)'],
    ['Nummer;Bezeichnung;Netto;Brutto', 'A;One;10,50;12,50', 'Brutto'],
    ['sku;name;Purchase price;Selling price', 'A;One;1.50;2.50', 'Selling price'],
  ])('%s: the regular one with taxes', async (header, row, price) => {
    const usual = row.replace('A', 'B').replace(/9[.,]90/, '');
    expect((await suggested(`${header}\n${row}\n${usual}\n`)).fields['price']).toBe(price);
  });

  it('one is asked where every record has an offer, too: it is what they are sold for', async () => {
    const { fields, questions } = await suggested(
      'sku;Name;Angebotspreis;Regulärer Preis\nA;One;9,90;12,50\nB;Two;8,90;9,50\n',
    );
    expect(fields['price']).toBeUndefined();
    expect(questions.map(({ field }) => field)).toContain('price');
  });

  it('a question is not the stock', async () => {
    const { fields } = await suggested('SKU,Nombre,¿Existencias?,Inventario,Precio\nA,One,1,4,1.00\nB,Two,1,0,2.00\n');
    expect(fields['stock']).toBe('Inventario');
  });
});

describe('codes of many digits under a header that ends in a word for price', () => {
  const codes = ['73239300', '69111000', '69120000'];

  it.each(['Zolltarif', 'Code tarif douanier', 'Statistikpreis', 'Tarif HS'])(
    '%s is no price next to one',
    async (code) => {
      const rows = codes.map((one, i) => `A-${i};Tea ${'xyz'[i]};${one};1${i},50`);
      const { fields, asked } = await suggested(`SKU;Name;${code};Preis\n${rows.join('\n')}\n`);
      expect(fields).toMatchObject({ price: 'Preis' });
      expect(asked).not.toHaveProperty('price');
    },
  );

  it('is asked about alone, and amounts in thousands are not', async () => {
    const file = (header: string, values: readonly string[]) =>
      `SKU;Name;${header}\n${values.map((one, i) => `A-${i};Tea ${'xyz'[i]};${one}`).join('\n')}\n`;
    expect((await suggested(file('Zolltarif', codes))).asked['price']).toEqual({
      Zolltarif: 'its values may be codes',
    });
    const { fields } = await suggested(file('Giá niêm yết', ['1250000', '2990000', '4505000']));
    expect(fields).toMatchObject({ price: 'Giá niêm yết' });
  });
});

describe('what values say', () => {
  it.each([
    ['groups of thousands', 'decimal: ","', 'sku;name;price\nA;One;1.250\nB;Two;2.000.000\n'],
    [
      'Indian groups',
      'price: { column: "price", number: { grouping: indian } }',
      'sku;price\nA;"1,23,456.00"\nB;45.50\n',
    ],
    [
      'units of weight',
      'weight: { column: "Weight", number: { units: { "g": 0.001, "kg": 1, "lb": 0.45359237 } }, round: 3 }',
      'sku,price,Weight\nA,1.00,450 g\nB,2.00,1.2 kg\nC,3.00,2 lb\n',
    ],
    [
      'units of weight in another column',
      'weight: { column: "weight", number: true, times: { column: "weight-unit", map: { "KILOGRAM": 1, "GRAM": 0.001 } } }',
      'sku;price;weight;weight-unit\nA;1.00;0.45;KILOGRAM\nB;2.00;200;GRAM\n',
    ],
    [
      'words for pieces',
      'stock: { column: "stock", number: { ignore: ["stk"] } }',
      'sku;price;stock\nA;1,00;12 Stk.\nB;2,00;3 Stk.\n',
    ],
    [
      'a column of its own name, though few of its cells are numbers',
      'price: "price"',
      'sku,price\nA,on request\nB,call us\nC,1.50\n',
    ],
    [
      'statuses',
      'status: { column: "status", map: { "true": activated, "false": suspended }, else: keep }',
      'sku,price,status\nA,1.00,true\nB,2.00,true\n',
    ],
    [
      'codes of articles are in no currency',
      'currency: ?',
      'Réf.;Désignation;PU TTC\nR-101;One;1,50\nR-102;Two;2,50\n',
    ],
    [
      'levels between bars',
      'category: { column: "Category", path: "|" }',
      'sku;price;Category\nA;1,00;Shop | Home | Lamps\nB;2,00;Shop | Home | Chairs\n',
    ],
    [
      'levels between strokes',
      'category: { column: "Category", path: "/" }',
      'sku;price;Category\nA;1,00;All / Sold / Lamps\nB;2,00;All / Sold\n',
    ],
    [
      'lists between bars',
      'category: { column: "Category", split: "|", take: first }',
      'sku;price;Category\nA;1,00;Home | Lamps\nB;2,00;Lamps | Sale\n',
    ],
    [
      'a key that records share',
      '#   "entry_simple": 100 % filled, all different',
      'article;entry_simple;price\nA1;A1-S;1,50\nA1;A1-M;1,50\nB1;B1-S;1,50\n',
    ],
    [
      'entities in a name',
      'name: { column: "Name", html: strip }',
      'sku,Name,Price\nA,Tea,1.50\nB,Caf&eacute; &amp; Bar,1.50\n',
    ],
    [
      'a date that has a check digit',
      '#   "valid from"   # 2026-01-01',
      'sku,price,valid from\nA,1.50,2026-01-01\nB,2.50,2026-01-01\n',
    ],
    ['names are in no currency', 'currency: ?', 'sku,Product title,Price\nA,Cup 1,1.50\nB,Cup 2,2.50\n'],
    ['prices by date', 'price: ?', 'sku;Preis ab 01.01.2026;Preis bis 31.12.2025\nA;1,50;1,40\nB;2,50;2,40\n'],
    ['the price of a pack', 'price: ?', 'sku,pack_price,pack_qty\nA,1.50,100\nB,2.50,100\n'],
    ['numbers of groups', '#   "group"   # 1', 'sku,price,group\nA,1.50,1\nB,2.50,2\n'],
    ['a flag of what is there', '#   "availability"   # 1', 'sku,price,availability\nA,1.50,1\nB,2.50,1\n'],
    ['a code of the condition', '#   "condition"   # 0', 'sku,price,condition\nA,1.50,0\nB,2.50,1\n'],
    ['years of warranty', '#   "warranty"   # 2', 'sku,price,warranty\nA,1.50,2\nB,2.50,3\n'],
    [
      'the only key, though some lack it',
      'sku: "SKU"',
      'Title,SKU,Price,Quantity\nOak board,A1,1.50,4\nSoap set,,2.50,10\nRed cup,B1,2.50,50\n',
    ],
    ['words that are all different', 'sku: ?', 'Style;Colour;Price\nT1;Red;1,50\nT1;Blue;1,50\nT2;Navy;1,50\n'],
    [
      'names under a header that no list has',
      '#   "MAKTX": 100 % filled, all different; such as Ball bearing, Fan belt',
      'MATNR;MAKTX;Preis\n1001;Ball bearing;1,50\n1002;Fan belt;2,50\n',
    ],
    [
      'names of one word under such a header',
      '#   "urunadi": 100 % filled, all different; such as Termos, Fincan',
      'stokkodu;urunadi;fiyat\nT-1;Termos;1,50\nT-2;Fincan;2,50\n',
    ],
    [
      'a flag of what is active',
      '#   "Is Active": 100 % filled, 0 to 1, write { column: "Is Active", map: { "1": activated, "0": suspended }, else: keep }',
      'sku,price,Is Active\nA,1.50,1\nB,2.50,0\n',
    ],
    [
      'a flag of what is not',
      'write { column: "archived", map: { "false": activated, "true": suspended }, else: keep }',
      'sku,price,archived\nA,1.50,false\nB,2.50,true\n',
    ],
    [
      'a flag in other letters',
      'write { column: "Inativo", map: { "S": activated, "N": suspended } }, or the other way round',
      'sku,price,Inativo\nA,1.50,S\nB,2.50,N\n',
    ],
    [
      'words that are codes of currencies as well',
      '#   { value: GEL }: "form" has GEL',
      'sku,name,price,form\nA-1,Soap,3.30,GEL\nA-2,Balm,2.50,GEL\n',
    ],
    ['codes of a letter and a number, as amounts in francs are', 'sku: "X"', 'X;Nimi;OVH\nF1;Lamp;1,50\nF2;Cup;2,50\n'],
    [
      'prices of other things next to rents',
      'price: ?',
      'Code;Name;Tagesmiete;Kaution;Neupreis\nM1;Mixer;19,00;100,00;489,00\nM2;Saw;39,50;200,00;890,00\n',
    ],
    [
      'numbers of makers, where nothing else could be the key',
      '#   "mpn": 100 % filled, all different; such as GS-1, AS-2',
      'mpn;bezeichnung;preis\nGS-1;Gartenschere;1,50\nAS-2;Harke;2,50\n',
    ],
    [
      'pounds in the header of a weight',
      'weight: { column: "weight_lbs", number: true, times: { value: "0.45359237" }, round: 3 }',
      'sku,price,weight_lbs\nA,1.50,22.5\nB,2.50,1.2\n',
    ],
    [
      'grams with a decimal comma',
      'weight: { column: "Gewicht (g)", number: true, times: { value: "0.001" }, round: 3 }',
      'sku;price;Gewicht (g)\nA;1,50;22,5\nB;2,50;12\n',
    ],
    ['the weight of a case', 'weight: ?', 'sku,price,weight_case_kg\nA,1.50,22.5\nB,2.50,1.2\n'],
    ['the weight of a pack', 'weight: ?', 'sku;price;Gewicht VPE\nA;1,50;22,5\nB;2,50;1,2\n'],
    [
      'prices that are no numbers',
      'price: ?',
      'sku,name,price\nL-1,Oak beam,EUR 24.90 / m\nL-2,Larch plank,EUR 3.20 / m\n',
    ],
    ['cells in single quotes', `replace: { pattern: "^'(.*)'$", with: "$1" }`, "sku;price\n'A';1,00\n'B';2,00\n"],
  ])('%s', async (_, line, content) => expect((await suggested(content)).yaml).toContain(line));

  it('amounts in minor units', async () => {
    const text = JSON.stringify([{ sku: 'A', price: { amountMinor: 1250, currency: 'EUR' } }]);
    expect((await suggested(text, 'f.json')).yaml).toContain('price: { column: "price.amountMinor", shift: -2 }');
  });

  it('an empty column of keys is not the key, and a list is none', async () => {
    const { fields } = await suggested('product_id,sku,name,price\n28,,One,1.00\n29,,Two,2.00\n');
    expect(fields['sku']).toBe('product_id');
    const lists = JSON.stringify({ sku: ['A', 'B'], name: ['One', 'Two'], price: [1.5, 2.5] });
    expect((await suggested(lists, 'f.json')).fields).not.toHaveProperty('sku');
  });

  it('no list is filled by a member that is called after it', async () => {
    const list = [1, 2].map((i) => ({ attributes: { sku: `A${i}`, title: `Tea ${i}`, pricing: { gross: 1.5 } } }));
    expect((await suggested(JSON.stringify({ data: list }), 'f.json')).fields).toEqual({
      sku: 'attributes.sku',
      name: 'attributes.title',
      price: 'attributes.pricing.gross',
    });
  });
});

it('a file in which nothing is recognized holds products', async () => {
  expect((await suggested('a,b\n1,2\n1,2\n')).resource).toBe('products');
});

describe('the only column of codes', () => {
  const keyOf = async (header: string) => {
    const feed = `${header};Bezeichnung;Preis\nX1;Tee;5,00\nX2;Kaffee;6,00\nX3;Milch;7,50\n`;
    const { fields, asked } = await suggested(feed);
    return { sure: fields['sku'], asked: Object.keys(asked['sku'] ?? {}) };
  };

  it.each([
    'Chargennr',
    'Batch number',
    'Contract ID',
    'Vertragsnummer',
    'Zolltarifnummer',
    'Customer code',
    'Order ID',
  ])('is asked about where its header says of what else its numbers are: %s', async (header) => {
    expect(await keyOf(header)).toEqual({ sure: undefined, asked: [header] });
  });

  it.each(['Artikelnr.', 'Art.-Nr.', 'Modellnummer', 'Material number', 'Internal Reference', 'ordernumber', 'N'])(
    'is the key where it says nothing else: %s',
    async (header) => {
      expect(await keyOf(header)).toEqual({ sure: header, asked: [] });
    },
  );
});
