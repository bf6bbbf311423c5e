// Encodings: found by the bytes of the whole file, read and written back, and never taken for another without a word.
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { findCodec } from '../../../src/source/bytes/codecs.js';
import { detectEncoding } from '../../../src/source/bytes/detect-encoding.js';
import { fileOf, readAll } from '../given.js';

const words = {
  german: ['Schlauch für Gärten', 'Große Übertöpfe', 'Möbelfüße weiß', 'Kühltasche grün', 'Schlüsselanhänger'],
  french: ['Café moulu équitable', 'Crème brûlée à la vanille', 'Théière émaillée', 'Boîte à gâteaux', 'Garçon'],
  polish: ['Żarówka świecąca', 'Łóżko dziecięce', 'Śrubokręt', 'Szczotka do włosów', 'Zamówienie'],
  turkish: ['Çaydanlık', 'Işıklı gözlük', 'Şişe açacağı', 'Yağmurluk', 'Güneş gözlüğü'],
  russian: ['Дрель ударная', 'Чайник электрический', 'Кабель для зарядки', 'Стул деревянный', 'Лампа'],
  greek: ['Καφετιέρα', 'Παπούτσια ανδρικά', 'Τραπέζι κουζίνας', 'Φωτιστικό', 'Ρολόι χειρός'],
  japanese: ['コーヒーカップ', '木製の椅子', '電気ケトル', 'ノートパソコン', '腕時計'],
  simplified: ['咖啡杯', '木制椅子', '电热水壶', '笔记本电脑', '儿童图书'],
  traditional: ['咖啡杯', '木製椅子', '電熱水壺', '筆記型電腦', '兒童圖書'],
  korean: ['커피잔', '나무 의자', '전기 주전자', '노트북 컴퓨터', '어린이 책'],
} as const;

/** A feed of which most is ASCII. */
function feed(language: keyof typeof words, rows = 200): string {
  const list = words[language];
  const lines = Array.from(
    { length: rows },
    (_, i) => `A-${i},${list[i % 5]},${i}.50,Article number ${i} in stock ${list[(i * 3 + 1) % 5]}\r\n`,
  );
  return `sku,name,price,description\r\n${lines.join('')}`;
}

async function* inBlocks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const guess = (bytes: Buffer, size = 1000) => detectEncoding(inBlocks(bytes, size));

describe('a few accented letters within Latin words', () => {
  it.each([
    ['dutch', 'Artikelnummer;Omschrijving;Verkoopprijs\r\n"NL-1";"Stoel ""1"" één";€ 1.101,50\r\n'],
    ['danish', 'Varenr;Navn;Pris\r\nDK-1;Stol grøn;101,50\r\n'],
    ['german', 'Nr;Name;Preis\r\n1;Tisch weiß;1,50 €\r\n'],
    // The signs are letters of their own in other encodings.
    ['german with two amounts', 'Nr;Gruppe;VK;EK\r\n1;Küche;3,50 €;1,93 €\r\n2;Büro;4,50 €;2,10 €\r\n'],
  ])('are no letters of another script: %s', async (_, text) => {
    expect((await guess(iconv.encode(text.repeat(8), 'windows-1252'))).encoding).toBe('windows-1252');
  });
});

describe('too few letters to tell', () => {
  it.each([
    ['windows-1252', 'sku;nome;prezzo|A1;Caffè nero;10,00|A2;Tazza perché;5,00|A3;Tè verde;3,00'],
    ['windows-1252', 'sku;nome;prezzo|A1;Qualità alta;10,00|A2;Tazza;5,00'],
    ['windows-1252', 'sku;nom;prix|A1;Lumière;10,00'],
    ['windows-1252', 'Nr;Name;VK|A1;"Säge ""Pro""";836,90|A2;Zange;1.561,00|A3;"Säge ""Pro""";1.917,05'],
    ['windows-1252', 'Nr;Name;VK|A1;Säge;836,90|A2;Zange;1,00'],
    ['windows-1252', 'Nr;Name;VK|A1;Öl;836,90|A2;Zange;1,00'],
    ['windows-1252', 'Nr;Navn;Pris|A1;Grå stol;836,90|A2;Bord;1,00'],
    ['windows-1252', 'Ref;Nombre;PVP|A1;Caña;836,90|A2;Mesa;1,00'],
    ['windows-1252', 'sku;nom;prix|A1;Pièce détachée;10,00|A2;Théière;3,00'],
    ['windows-1252', 'sku;naam;prijs|A1;Café crème;10,00'],
    ['windows-1250', 'sku;meno;cena|A1;Vŕba;10,00'],
    ['windows-1250', 'sku;jmeno;cena|A1;Ručník;10,00|A2;Kapesníček;9,00'],
    ['windows-1250', 'sku;nazwa;cena|A1;Żółta łyżka;10,00'],
    ['windows-1250', 'sku;nev;ar|A1;Tűző;10,00'],
    ['windows-1250', 'sku;nume;pret|A1;Cană albă;10,00'],
  ])('in %s: %s: the encoding is right, or among those that are asked about', async (encoding, text) => {
    const { encoding: found, open = [] } = await guess(iconv.encode(text.replaceAll('|', '\r\n'), encoding));
    expect([found, ...open.map(({ name }) => name)]).toContain(encoding);
    if (found !== encoding) expect(open.length).toBeGreaterThan(1);
  });

  it('as in Lumière and Lumičre, of which both are words', async () => {
    const { open = [] } = await guess(iconv.encode('sku;nom\r\nA1;Lumière\r\n', 'windows-1252'));
    expect(open.map(({ sample }) => sample)).toEqual(
      expect.arrayContaining([expect.stringContaining('Lumière'), expect.stringContaining('Lumičre')]),
    );
  });
});

describe('a few rows are enough', () => {
  it.each([
    ['windows-1252', 'Código|Descripción|Categoría|Ñandú de peluche|Camión'],
    ['windows-1252', 'Descripción|Ñandú de peluche|Categoría'],
    ['cp850', 'Código|Descripción|Categoría|Ñandú de peluche|Camión'],
    ['windows-1252', 'Référence|Œillet métallique|Clé à molette|Garçon|Fenêtre'],
    ['macintosh', 'Größe|Übermaß|Säge|Öl|Schlüssel'],
    ['windows-1252', 'Þvottavél|Bók|Stærð'],
    ['windows-1252', 'Færg|Størrelse på skærm|Køkken|Grøn|Blå'],
    ['windows-1250', 'Młotek ślusarski|Śrubokręt|Wkręt|Żarówka|Gąbka'],
    ['windows-1250', 'Příklepová vrtačka|Šroubovák křížový|Hřebík|Žďár|Stůl'],
    ['windows-1257', 'Urbjmašīna ar triecienu|Āmurs ķīļveida|Skrūve ēvele|Krēsls|Paklājs'],
    ['windows-1254', 'Darbeli Matkap|Çekiç sapı|Güneş|Işık|Ürün Adı'],
  ])('%s: %s', async (encoding, names) => {
    for (const delimiter of [';', '|']) {
      const rows = names.split('|').map((name, i) => [`A${i}`, name, `${i},50\n`].join(delimiter));
      const bytes = iconv.encode(`SKU${delimiter}Name${delimiter}Price\n${rows.join('')}`, encoding);
      const found = await guess(bytes);
      expect(iconv.decode(bytes, found.encoding ?? 'utf-8')).toBe(iconv.decode(bytes, encoding));
      expect(found.open ?? []).toEqual([]);
    }
  });
});

describe('Turkish and Icelandic differ in six letters', () => {
  const turkish = 'Stok Kodu;Ürün Adı;Satış Fiyatı;Kategori\r\nTR1;Çay bardağı 1’li şık;1.001,50;Mutfak > Çay\r\n';
  const icelandic = 'Vörunúmer;Heiti;Verð;Flokkur\r\nIS1;Þvottaefni fyrir ýmis föt;1.001,50;Heimili > Þvottur\r\n';

  it.each([
    ['windows-1254', turkish],
    ['windows-1252', icelandic],
  ])('%s, in a feed of a few lines', async (encoding, text) => {
    expect(iconv.decode(iconv.encode(text, encoding), encoding)).toBe(text);
    expect((await guess(iconv.encode(text.repeat(5), encoding))).encoding).toBe(encoding);
  });
});

describe('the encoding of a file', () => {
  it.each([
    ['german', 'windows-1252'],
    ['german', 'macintosh'],
    ['french', 'windows-1252'],
    ['french', 'macintosh'],
    ['polish', 'windows-1250'],
    ['polish', 'iso-8859-2'],
    ['turkish', 'windows-1254'],
    ['russian', 'windows-1251'],
    ['russian', 'koi8-r'],
    ['russian', 'cp866'],
    ['russian', 'x-mac-cyrillic'],
    ['greek', 'windows-1253'],
    ['japanese', 'shift_jis'],
    ['japanese', 'euc-jp'],
    ['simplified', 'gb18030'],
    ['traditional', 'big5'],
    ['korean', 'euc-kr'],
    ['russian', 'utf-16le'],
    ['japanese', 'utf-16be'],
    ['german', 'utf-16le'],
    ['german', 'utf-32le'],
    ['german', 'utf-32be'],
    ['japanese', 'iso-2022-jp'],
    ['simplified', 'hz'],
  ] as const)('of %s in %s is detected, with its certainty', async (language, encoding) => {
    const text = feed(language);
    const bytes = findCodec(encoding)?.encode(text, false) ?? Buffer.alloc(0);
    const found = await guess(bytes);
    expect(found).toMatchObject({ encoding, newline: 'CRLF' });
    // Samples are words of the file, not rows.
    expect(found.why).not.toMatch(/"[^"]*[;\n][^"]*"/);
    expect(found.why).toMatch(/letters fit|nearly as likely|are zero, and there is no mark|switches of/);
    const { items, problems } = await readAll(fileOf(bytes), { encoding });
    expect(problems).toEqual([]);
    expect(items[0]).toMatchObject({
      name: words[language][0],
      description: `Article number 0 in stock ${words[language][1]}`,
    });
  });

  it.each([
    ['greek', 'windows-1253', /its letters fit no other encoding/],
    ['polish', 'windows-1250', /iso-8859-2 is nearly as likely; check the letters/],
    ['french', 'windows-1252', /its letters fit [2-9]\d % better than in windows-1250/],
    ['turkish', 'windows-1254', /its letters fit [2-9] times as well as in windows-1252/],
  ] as const)(
    'of %s in %s is told by how much it is more likely than the next one',
    async (language, encoding, why) => {
      expect((await guess(findCodec(encoding)?.encode(feed(language), false) ?? Buffer.alloc(0))).why).toMatch(why);
    },
  );

  it('is found where the letters come late', async () => {
    const late = Buffer.concat([
      Buffer.from(`sku,name\n${'A,plain\n'.repeat(1_000_000)}`),
      iconv.encode(feed('polish'), 'windows-1250'),
    ]);
    const found = await guess(late, 65_536);
    expect(found.encoding).toBe('windows-1250');
    expect(found.why).toMatch(/^byte 0x[0-9A-F]{2} at 80000\d\d is not UTF-8; .*Żarówka/);
  });

  it('is UTF-8 only where all of it is; a few bytes that are not are named', async () => {
    expect(await guess(Buffer.from(feed('german')), 7)).toMatchObject({
      encoding: undefined,
      why: 'all of it is valid UTF-8',
    });
    expect(await guess(Buffer.from('sku\nA\n'))).toMatchObject({ encoding: undefined, why: 'all of it is ASCII' });
    const mixed = Buffer.concat([Buffer.from(feed('german')), Buffer.from('B-1,Gr\xfcn,1,x\n', 'latin1')]);
    const { encoding, why } = await guess(mixed);
    expect(encoding).toBeUndefined();
    expect(why).toMatch(/nearly all of it is UTF-8, but byte 0xFC at \d+ is not: those records are refused/);
  });

  it('of signs without letters is windows-1252, and is reported as a guess', async () => {
    const { encoding, why } = await guess(iconv.encode('sku,name\nA,5 € – 10 mm²\n', 'windows-1252'));
    expect(encoding).toBe('windows-1252');
    expect(why).toMatch(/signs only and no letters .*"€ – 10 mm²"/);
  });

  it.each(['A,1.50 €', 'A,€5', 'A,12€ · now', 'A,"Only 5 € today, 10 m²"'])(
    'of a euro apart from letters is iso-8859-15, as windows-1252 has another byte for it: %s',
    async (row) => {
      const { encoding, open } = await guess(iconv.encode(`sku,price\n${row}\nB,2\n`, 'iso-8859-15'));
      expect({ encoding, open }).toEqual({ encoding: 'iso-8859-15', open: undefined });
    },
  );

  it('with that byte in a word is an old code page', async () => {
    const { encoding, open = [] } = await guess(iconv.encode('sku,name\nA,España\nB,señor\nC,mañana\n', 'cp850'));
    expect([encoding, ...open.map(({ name }) => name)]).toContain('cp850');
  });

  it.each(['A,œuf;1.50 €', 'A,Œuvre', 'A,cœur'])('is none in which frames are next to letters: %s', async (row) => {
    const { encoding, open } = await guess(iconv.encode(`sku,name\n${row}\n`, 'iso-8859-15'));
    expect([encoding, ...(open ?? []).map(({ name }) => name)]).toContain('iso-8859-15');
    expect(encoding).not.toMatch(/^cp/);
  });

  it('with a mark needs no guess', async () => {
    for (const name of ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
      const bytes = iconv.encode('sku,name\nA,ä€\n', name, { addBOM: true });
      expect((await guess(bytes)).encoding, name).toBeUndefined();
      expect((await readAll(fileOf(bytes))).items, name).toEqual([{ sku: 'A', name: 'ä€' }]);
    }
  });
});

describe('what is read', () => {
  it.each(['macroman', 'x-mac-cyrillic', 'maccroatian', 'macintosh'])('in %s has the euro', async (encoding) => {
    const bytes = findCodec(encoding)?.encode('sku,name\nA,5 €\n', true) ?? Buffer.alloc(0);
    expect((await readAll(fileOf(bytes), { encoding })).items).toEqual([{ sku: 'A', name: '5 €' }]);
  });

  it.each(['iso-2022-jp', 'hz'])('as UTF-8 and is %s is refused by line, and not taken for words', async (encoding) => {
    const text = 'sku,name\nA,plain\nB,日本\n';
    const bytes = findCodec(encoding)?.encode(text, true) ?? Buffer.alloc(0);
    expect(bytes.every((byte) => byte < 0x80)).toBe(true);
    const { items, problems } = await readAll(fileOf(bytes));
    expect(items).toEqual([{ sku: 'A', name: 'plain' }, '!invalid_text']);
    expect(problems[0]).toMatchObject({
      message: expect.stringMatching(new RegExp(`line 3 has an escape sequence of .* --encoding ${encoding}`)),
    });
    expect((await readAll(fileOf(bytes), { encoding: 'utf-8' })).problems).toEqual([]);
    for (const size of [1, 2, 3, 5]) {
      const decode = findCodec(encoding)?.decoder();
      let read = '';
      for (let at = 0; at < bytes.length; at += size) read += decode?.(bytes.subarray(at, at + size)) ?? '';
      expect(read + (decode?.(undefined) ?? '')).toBe(text);
    }
  });

  it('a tilde and a brace are a tilde and a brace', async () => {
    expect((await readAll(fileOf('sku,name\nA,~{x}~ ~~\n'))).items).toEqual([{ sku: 'A', name: '~{x}~ ~~' }]);
  });

  it('by any spelling of a name is the same', () => {
    for (const name of [
      'Shift_JIS',
      'shift-jis',
      'SJIS',
      'x-mac-roman',
      'CP1251',
      'KOI8-R',
      'GB18030',
      'Big5',
      'EUC_KR',
    ])
      expect(findCodec(name), name).toBeDefined();
    expect(findCodec('klingon')).toBeUndefined();
  });
});
