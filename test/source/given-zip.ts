// Archives and workbooks made on the spot, byte by byte, so that the tests need no writer of them.
import { crc32, deflateRawSync } from 'node:zlib';

/** A .zip of these files; their method is written as it is given, and they are deflated whatever it is. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, method = 8): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}

/** Parts of a workbook besides its sheets: number formats of the styles from 4 on, and sheets that are hidden. */
interface More {
  readonly formats?: readonly string[];
  readonly hidden?: readonly string[];
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A workbook with these sheets, each the XML of its rows; styles by number: 1 date, 2 two decimals, 3 five digits. */
export function workbookOf(
  sheets: Readonly<Record<string, string>>,
  shared: readonly string[] = [],
  { formats = [], hidden = [] }: More = {},
): Buffer {
  const codes = formats.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${attribute(code)}"/>`).join('');
  const styles = formats.map((_, i) => `<xf numFmtId="${170 + i}"/>`).join('');
  const state = (name: string) => (hidden.includes(name) ? ' state="hidden"' : '');
  const names = Object.keys(sheets);
  const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const rel = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${ns} ${rel}><sheets>${names.map((name, i) => `<sheet name="${name}"${state(name)} sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${ns}>${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${ns}><numFmts><numFmt numFmtId="164" formatCode="00000"/>${codes}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="2"/><xf numFmtId="164"/>${styles}</cellXfs></styleSheet>`,
  };
  names.forEach((name, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet ${ns}><sheetData>${sheets[name]}</sheetData></worksheet>`;
  });
  return zipOf(files);
}
