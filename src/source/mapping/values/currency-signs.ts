// Currency signs and codes as they are written next to an amount → the ISO 4217 codes they can mean.
import { currencies } from '../../../core/fields/currencies.js';

const dollars =
  'USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BSD BBD BMD BND BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD UYU DOP CUP';

/** Signs and abbreviations, in lower case. A sign that several currencies share contradicts none of them. */
const signs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '€': 'EUR',
    euro: 'EUR',
    euros: 'EUR',
    '£': 'GBP EGP LBP SHP FKP GIP SDG SSP SYP',
    '¥': 'JPY CNY',
    '￥': 'JPY CNY',
    円: 'JPY',
    元: 'CNY TWD HKD',
    rmb: 'CNY',
    $: dollars,
    '＄': dollars,
    us$: 'USD',
    a$: 'AUD',
    au$: 'AUD',
    c$: 'CAD',
    ca$: 'CAD',
    nz$: 'NZD',
    hk$: 'HKD',
    s$: 'SGD',
    nt$: 'TWD',
    r$: 'BRL',
    rd$: 'DOP',
    mx$: 'MXN',
    kr: 'SEK NOK DKK ISK',
    kč: 'CZK',
    zł: 'PLN',
    zl: 'PLN',
    ft: 'HUF',
    fr: 'CHF XOF XAF XPF',
    sfr: 'CHF',
    fcfa: 'XOF XAF',
    cfa: 'XOF XAF',
    f: 'XOF XAF XPF CHF',
    lei: 'RON MDL',
    leu: 'RON MDL',
    лв: 'BGN KGS UZS',
    '₽': 'RUB',
    руб: 'RUB BYN',
    р: 'RUB BYN',
    '₴': 'UAH',
    грн: 'UAH',
    '₸': 'KZT',
    тг: 'KZT',
    '₺': 'TRY',
    tl: 'TRY',
    '₹': 'INR',
    rs: 'INR PKR LKR NPR MUR SCR',
    rp: 'IDR',
    rm: 'MYR',
    '฿': 'THB',
    บาท: 'THB',
    '₫': 'VND',
    đ: 'VND',
    '₩': 'KRW KPW',
    원: 'KRW',
    '₱': 'PHP',
    '₪': 'ILS',
    'ש"ח': 'ILS',
    'ש״ח': 'ILS',
    'ر.س': 'SAR',
    'ر.ق': 'QAR',
    'ر.ع': 'OMR',
    'ر.ي': 'YER',
    'د.إ': 'AED',
    'د.ك': 'KWD',
    'د.ب': 'BHD',
    'د.أ': 'JOD',
    'د.ا': 'JOD',
    'د.ع': 'IQD',
    'ع.د': 'IQD',
    'د.ت': 'TND',
    'د.م': 'MAD',
    'د.ج': 'DZD',
    'د.ل': 'LYD',
    'ج.م': 'EGP',
    'ج.س': 'SDG',
    'ل.ل': 'LBP',
    'ل.س': 'SYP',
    '₦': 'NGN',
    '₡': 'CRC',
    '₲': 'PYG',
    '₵': 'GHS',
    'gh₵': 'GHS',
    ksh: 'KES',
    '₾': 'GEL',
    '₼': 'AZN',
    '֏': 'AMD',
    '৳': 'BDT',
    '₭': 'LAK',
    '៛': 'KHR',
    '₮': 'MNT',
    r: 'ZAR',
    din: 'RSD DZD TND',
    дин: 'RSD MKD',
    км: 'BAM',
    dh: 'MAD AED',
    ден: 'MKD',
  }).map(([sign, codes]) => [sign, codes.split(' ')]),
);

/** Signs that are abbreviations, after which a point is not a decimal point: `Rs.50`, `Fr.12`. */
export const abbreviations: ReadonlySet<string> = new Set(['rs', 'fr', 'sfr', 'kr', 'rp', 'rm', 'din', 'лв', 'dh']);

const shekels = /ש["״']{1,2}ח/g;
const arabic = /(?<![\p{L}\p{M}])[\u0621-\u064a]\.[\u0621-\u064a]\.?(?![\p{L}\p{M}])/gu;
/** The signs of the sol (`S/`) and the balboa (`B/.`), before a number or at the end. `s/` and `S/ IVA` mean `sin` (without). */
const slashed = /(?<![\p{L}\p{M}])(?:(S\/\.?)|B\/\.)(?=\s?[-+−]?\d|[.*)\s]*$)/gu;

/** Replaces abbreviations of currencies that contain punctuation (`ر.س`, `ש"ח`, `S/.`, `B/.`) by a code or sign. */
export function withoutInnerSigns(text: string): string {
  return text
    .replace(shekels, '₪')
    .replace(arabic, (found) => signs.get(found.replace(/\.$/, ''))?.[0] ?? found)
    .replace(slashed, (_, soles?: string) => (soles === undefined ? 'PAB ' : 'PEN '));
}

/** The currencies that a sign, an abbreviation or a code can mean; undefined for any other word. */
export function currenciesOf(word: string): readonly string[] | undefined {
  const known = signs.get(word.toLowerCase());
  if (known !== undefined) return known;
  const code = word.toUpperCase();
  return word.length === 3 && currencies.has(code) ? [code] : undefined;
}

/** Currencies without a minor unit in use: their amounts have no decimals. */
const withoutDecimals: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KPW KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
/** Currencies written only with a decimal point: a comma groups digits. */
const withPoint: ReadonlySet<string> = new Set(['CNY']);

/** Whether a comma or point before three digits groups thousands in an amount of any of the currencies. */
export function isGroupingOnly(codes: readonly string[], sign: '.' | ','): boolean {
  return codes.every((code) => withoutDecimals.has(code) || (sign === ',' && withPoint.has(code)));
}
