// Reads the contract that --expect names: a file (YAML or JSON) with `expect:`, or the words themselves as `{…}`.
import { checkedYaml, readTextFile } from '../checked-yaml.js';
import { type Fault, isWords, unknownWord } from '../mapping/schema/schema-checks.js';
import { contractFault } from './contract-schema.js';

/** A contract as it is written: of one resource, or of several by their names. */
export type WrittenContract = Readonly<Record<string, unknown>>;

/** A contract, and where it is written, for messages. */
export interface ReadContract {
  readonly name: string;
  readonly place: string;
  readonly words: WrittenContract;
}

/**
 * @param isResource whether a word names a resource: a contract of several has nothing else at its top
 * @throws CatalogError `usage` where it cannot be read, or is no contract
 */
export function readContract(given: string, isResource: (word: string) => boolean): ReadContract {
  const isInline = given.trimStart().startsWith('{');
  const text = isInline ? given : readTextFile('The contract', given);
  const name = isInline ? '--expect' : given;
  const { value } = checkedYaml(name, text, (one) => (isInline ? faultOf(one, []) : faultOfFile(one)), 'the contract');
  const words = isInline ? value : (value as { readonly expect: unknown }).expect;
  return { name, place: isInline ? '' : 'expect', words: words as WrittenContract };

  function faultOfFile(content: unknown): Fault | undefined {
    if (!isWords(content) || !Object.hasOwn(content, 'expect'))
      return { path: [], message: 'must be expect: with what is expected below it' };
    const other = Object.keys(content).find((word) => word !== 'expect');
    if (other !== undefined) return { path: [other], message: unknownWord(other, ['expect']) };
    return faultOf(content['expect'], ['expect']);
  }

  function faultOf(contract: unknown, path: Fault['path']): Fault | undefined {
    if (!isBySection(contract, isResource)) return contractFault(contract, path);
    const faults = Object.entries(contract).map(([name, one]) => contractFault(one, [...path, name]));
    return faults.find((fault) => fault !== undefined);
  }
}

/** Whether a contract has those of several resources by their names. */
export function isBySection(words: unknown, isResource: (word: string) => boolean): words is WrittenContract {
  return isWords(words) && Object.keys(words).length > 0 && Object.keys(words).every(isResource);
}
