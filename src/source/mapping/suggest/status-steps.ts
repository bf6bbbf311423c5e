// Steps of a suggested mapping that turn the statuses of shops into those of the catalog.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** Names of statuses in shops. */
const statusWords: Readonly<Record<string, string>> = {
  true: 'activated',
  false: 'suspended',
  1: 'activated',
  0: 'suspended',
  yes: 'activated',
  no: 'suspended',
  ja: 'activated',
  nein: 'suspended',
  oui: 'activated',
  non: 'suspended',
  ativo: 'activated',
  inativo: 'suspended',
  activo: 'activated',
  inactivo: 'suspended',
  actif: 'activated',
  inactif: 'suspended',
  active: 'activated',
  enabled: 'activated',
  published: 'activated',
  visible: 'activated',
  online: 'activated',
  aktiv: 'activated',
  archived: 'suspended',
  inactive: 'suspended',
  disabled: 'suspended',
  hidden: 'suspended',
  offline: 'suspended',
  unlisted: 'suspended',
  inaktiv: 'suspended',
};

const answers: readonly (readonly string[])[] = [
  ['true', 'false'],
  ['1', '0'],
  ['yes', 'no'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['ativo', 'inativo'],
  ['activo', 'inactivo'],
  ['actif', 'inactif'],
];

/** The values of a status column that differ from the catalog's, as a `map` step. */
export function statusSteps(facts: ColumnProfile | undefined): string[] {
  const said = (facts?.samples ?? []).map((sample) => sample.toLowerCase()).filter((sample) => statusWords[sample]);
  // Where one of two words is in the samples, the other is to be expected.
  const both = answers.filter((pair) => pair.some((word) => said.includes(word))).flat();
  const words = [...new Set([...said, ...both])];
  const pairs = words.map(
    (word) =>
      `${/^[a-z]{4,}$/.test(word) && !/true|false/.test(word) ? word : JSON.stringify(word)}: ${statusWords[word]}`,
  );
  return words.length === 0 ? [] : [`map: { ${pairs.join(', ')} }`, 'else: keep'];
}
