// What a configuration file of the working folder may not decide unseen: a folder that came from somewhere else, such as an
// unpacked archive of a supplier, could send an import and the user's key somewhere else.
import { isAbsolute, relative } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { redactCredentials } from '../redact-credentials.js';
import { configName } from './find-config.js';
import type { Resolved } from './resolve-config.js';

/**
 * The lines that name the targets outside of the working folder which its configuration file sets; '' where it sets none.
 * @throws CatalogError `usage` where its defaults name a remote or a database: a profile has to be typed for them
 */
export function foreignTargets(file: string, found: readonly Resolved[]): string {
  if (file !== configName) return '';
  const targets = found.filter(
    ({ setting: { name, value }, beatenBy }) =>
      beatenBy === undefined && (name === 'remote' || (name === 'db' && leadsOut(String(value)))),
  );
  return targets
    .map(({ setting: { name, value, section, line, column } }) => {
      const shown = sanitizeText(redactCredentials(String(value)));
      if (section.startsWith('defaults') && (name === 'remote' || isAddress(String(value))))
        throw new CatalogError(
          'usage',
          `${file}: line ${line}, column ${column}: ${section}.${name}: the file of a folder may not send every import to ${shown}. Move it into a profile and use --profile, or into the configuration file of the user.`,
        );
      return `--${name} ${shown} comes from ${file} in this folder (${section}, line ${line}).\n`;
    })
    .join('');
}

function isAddress(db: string): boolean {
  return /^postgres(ql)?:/i.test(db);
}

function leadsOut(db: string): boolean {
  if (isAddress(db)) return true;
  const path = relative('.', db);
  return path === '..' || /^\.\.[\\/]/.test(path) || isAbsolute(path);
}
