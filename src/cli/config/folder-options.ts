// What the configuration file of a working folder may decide. A folder may come from somebody else, such as a supplier's
// archive: whatever its file decides unseen, its author does to the next user. So its defaults may say how the files next to it
// are read and be stricter than the program. What writes, listens, sends, reads elsewhere or names a target has to be typed,
// are in a profile that is typed, or in the user's own file.
import { isAbsolute } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { isWithin } from '../../files/same-file.js';
import { isStricterGuard } from '../import/options/feed-options.js';
import { configName } from './find-config.js';
import type { OptionValue, Setting } from './read-config.js';

/** Why a value may not be set by a folder; undefined where it may. */
type Rule = (value: string) => string | undefined;

const anyValue: Rule = () => undefined;

const withinFolder: Rule = (value) => {
  const why = 'a mapping or contract that a folder names must be inside the folder';
  if (isAbsolute(value)) return why;
  return isWithin(value, '.') ? undefined : why;
};

/** A contract only makes an import stricter, wherever it is written. */
const contract: Rule = (value) => {
  if (value === 'off') return 'a folder may not switch off what is expected of a file';
  return value.startsWith('{') ? undefined : withinFolder(value);
};

const strictGuard =
  (isStricter: (value: string) => boolean): Rule =>
  (value) =>
    isStricter(value) ? undefined : 'a folder may only make a guard stricter than its default';

/** Of these the folder's file knows more than the user's own: how the files next to it are read, and what is shown of them. */
const ofReading = [
  ...['decimal', 'delimiter', 'empty', 'encoding', 'format', 'items', 'record', 'sheet', 'skip', 'rename', 'set'],
  ...['output', 'bom', 'report', 'diff', 'progress', 'color', 'no-color', 'verbose'],
];

/** The options that the defaults of a folder's file may set. */
export const folderOptions: ReadonlyMap<string, Rule> = new Map([
  ...[...ofReading, 'on-duplicate', 'limit', 'feed', 'strict', 'fail-on'].map((name) => [name, anyValue] as const),
  ['map', withinFolder],
  ['expect', contract],
  ...Object.entries(isStricterGuard).map(([name, isStricter]) => [name, strictGuard(isStricter)] as const),
]);

/**
 * How strong a default is, the strongest first: what the user's own file says an import may do, so that no folder takes back a
 * guard or a target; what the folder's says; what the user's says of how files are read.
 */
export function rankOf({ file, name }: Setting): 0 | 1 | 2 {
  if (file === configName) return 1;
  return name === 'map' || ofReading.includes(name) ? 2 : 0;
}

/** A line that names what the file of a folder sets for a command; '' where it sets nothing, or is that of the user. */
export function folderSettings(used: readonly OptionValue[]): string {
  const shown = used.flatMap(({ setting }) =>
    setting?.file !== configName ? [] : `${setting.name} ${sanitizeText(maskCredentials(String(setting.value)))}`,
  );
  return shown.length === 0 ? '' : `Options from ${configName} in this folder: ${shown.join(', ')}.\n`;
}

/**
 * Checks a setting that counts.
 * @throws CatalogError `usage` where the defaults of a folder's file set what they may not
 */
export function refuseUnsafe({ file, name, value, profile, section, line, column }: Setting): void {
  if (file !== configName || profile !== undefined) return;
  const rule = folderOptions.get(name);
  const values = Array.isArray(value) ? value : [String(value)];
  const why =
    rule === undefined
      ? 'the file of a folder may not set this option unseen'
      : values.map(rule).find((one) => one !== undefined);
  if (why === undefined) return;
  throw new CatalogError(
    'usage',
    `${file}: line ${line}, column ${column}: ${section}.${name}: ${why}. Type it, move it into a profile and use --profile, or into the configuration file of the user.`,
  );
}
