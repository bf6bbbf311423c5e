// A row of units below the header, which is no record: `;;kg;EUR;pcs`.

/** Units, currencies and words for types, as such rows have them. */
const units: ReadonlySet<string> = new Set(
  (
    'mg g gr kg t lb lbs oz mm cm dm m km in inch ft mm² cm² m² m³ cm³ ml cl dl l ltr gal v kv w kw kwh va a ma ah mah hz ghz mb gb tb ' +
    '% ° °c c k bar pa db lm lx nm min h s st stk stck stück stuck pc pcs ps pce ea each szt ks kpl db adet шт кг г мм см руб ' +
    'eur usd gbp chf pln czk sek nok dkk huf ron bgn try rub uah jpy cny krw inr aud cad € $ £ ¥ zł kč kr ' +
    'text string number integer int decimal float date bool boolean char varchar numeric'
  ).split(' '),
);

const isUnit = (cell: string): boolean => {
  const word = cell.trim().toLowerCase();
  return units.has(word) || units.has(word.replace(/^[([](.*)[)\]]$/, '$1')) || /^[([][^)\]]{1,20}[)\]]$/.test(word);
};

/** Whether every filled cell of the first row is a unit. One alone may be a value: the size `M`. */
export function isUnitRow(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && filled.every(isUnit);
}
