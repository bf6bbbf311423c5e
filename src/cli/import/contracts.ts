// What is expected of the files of an import: by --expect, by --max-age, and by the mapping of each file.
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import type { Expectation } from '../../source/contract/contract.js';
import { resourceByWord } from '../resource-argument.js';
import type { Job } from './import-job.js';
import type { FeedFlags } from './options/feed-options.js';

/** What is expected of the file of a job. */
export type ContractOf = (job: Job) => readonly Expectation[];

const all = [...resources, ...shopResources];
const isResource = (word: string): boolean => resourceByWord(word, all) !== undefined;

/**
 * Reads the contract of an import.
 * @throws CatalogError `usage` where it is none
 */
export async function contractOf({ expect, maxAge }: FeedFlags, jobs: readonly Job[]): Promise<ContractOf> {
  const age = maxAge === 'off' ? undefined : maxAge;
  const isNone = age === undefined && expect === undefined && jobs.every(({ mapped }) => !mapped?.section.expect);
  if (isNone) return () => [];
  const { expectationsOf } = await import('../../source/contract/contract.js');
  const { isBySection, readContract } = await import('../../source/contract/read-contract.js');
  const typed = expect === undefined || expect === 'off' ? undefined : readContract(expect, isResource);
  const option = '--expect';

  function ofTyped(resource: Resource): Expectation[] {
    if (typed === undefined) return [];
    const { name, place, words } = typed;
    if (!isBySection(words, isResource)) return expectationsOf(words, { option, name, place });
    return Object.entries(words).flatMap(([word, own]) =>
      resourceByWord(word, all) === resource ? expectationsOf(own, { option, name, place: `${place}.${word}` }) : [],
    );
  }

  return ({ resource, mapped }) => {
    const old = age === undefined ? {} : { age };
    const ofMapping = expect === 'off' || mapped === undefined ? undefined : mapped.section.expect;
    return [
      ...expectationsOf(old, { option: '--max-age', name: '--max-age', place: '' }),
      ...ofTyped(resource),
      ...expectationsOf(ofMapping, { option, name: mapped?.name ?? '', place: `${mapped?.place}.expect` }),
    ];
  };
}
