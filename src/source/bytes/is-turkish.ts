// windows-1252 and windows-1254 differ in six letters: ğ İ ı Ş ş Ğ of Turkish are ð Ý ý Þ þ Ð of Icelandic.

const shared = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Ç Ü ç ü, which Icelandic lacks. */
const turkish = new Set([0xc7, 0xdc, 0xe7, 0xfc]);
/** Á Æ É Í Ó Ú á æ é í ó ú, which Turkish lacks. */
const icelandic = new Set([0xc1, 0xc6, 0xc9, 0xcd, 0xd3, 0xda, 0xe1, 0xe6, 0xe9, 0xed, 0xf3, 0xfa]);

/** Whether bytes that seem to be of western Europe are Turkish, by their letters other than the six. */
export function isTurkish(encoding: string, bytes: Buffer): boolean {
  if (encoding !== 'windows-1252' && encoding !== 'iso-8859-1') return false;
  const count = (letters: ReadonlySet<number>) => bytes.reduce((sum, byte) => sum + (letters.has(byte) ? 1 : 0), 0);
  return count(shared) > 0 && count(turkish) > count(icelandic);
}
