// The letters beyond ASCII of a text belong to one language: `Śillet` next to `Désignation` is a wrong encoding.

/** Letters beyond ASCII, by language. */
const alphabets: readonly ReadonlySet<string>[] = [
  'äöüß', // German
  'àâæçéèêëîïôœùûüÿ', // French
  'áéíñóúüç', // Spanish
  'àáâãçéêíóôõúü', // Portuguese
  'àèéìíîòóùú', // Italian
  'àáâäçèéêëíîïóôöúüû', // Dutch
  'àçéèíïóòúü', // Catalan
  'åäöéüà', // Swedish
  'æøåéóòôäöü', // Danish, Norwegian
  'åäöšž', // Finnish
  'áðéíóúýþæö', // Icelandic
  'ąćęłńóśźż', // Polish
  'áčďéěíňóřšťúůýž', // Czech
  'áäčďéíĺľňóôŕšťúýž', // Slovak
  'áéíóöőúüű', // Hungarian
  'ăâîșțşţ', // Romanian
  'čćđšž', // Croatian, Serbian, Slovene
  'çğıi\u0307öşüâîû', // Turkish
  'āčēģīķļņšūž', // Latvian
  'ąčęėįšųūž', // Lithuanian
  'äöõüšž', // Estonian
  'çë', // Albanian
].map((letters) => new Set(letters));

/** Whether the text has Latin letters beyond ASCII, all of them of one language. */
export function fitsAlphabet(text: string): boolean {
  const letters = new Set(text.toLowerCase().match(/(?![a-z])\p{sc=Latn}/gu) ?? []);
  return letters.size > 0 && alphabets.some((alphabet) => [...letters].every((letter) => alphabet.has(letter)));
}
