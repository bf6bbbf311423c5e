// `feeds`: lists feeds, and sets which feed's value applies where several send the same field.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newDiagnostics } from '../../../core/diagnostics/diagnostics.js';
import { CatalogError } from '../../../core/errors.js';
import { checkFields } from '../../../core/fields/check-item.js';
import { unrankedFields } from '../../../core/ledger/feed-offer.js';
import type { FeedSettings } from '../../../core/ledger/feed-ranking.js';
import { type OnlyAction, onlyActions } from '../../../core/only-action.js';
import type { CheckedFields } from '../../../core/planning/item-task.js';
import { resources } from '../../../core/resources/index.js';
import { nearest, quote } from '../../../core/text/text.js';
import { cellCoercion } from '../../../source/cells/coerce-value.js';
import { feedName } from '../../import/options/feed-options.js';
import { addLedgerOption, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, printDone, type ResultFlags, type TargetOptions } from '../../options.js';
import { repeated } from '../../shared-options.js';
import { didYouMean } from '../../unknown-feed.js';
import { listFeeds, type NewValues, newValueWords } from './list-feeds.js';
import { defineRetire } from './retire-feed.js';

interface SetFlags extends TargetOptions, ResultFlags {
  readonly below?: string;
  readonly own?: readonly string[];
  readonly setNew?: NewValues;
  readonly only?: OnlyAction | typeof none;
}

/** The word that removes a setting. */
const none = 'none';

export function defineFeeds(command: Command, process: NodeJS.Process): void {
  command.description(
    'Lists the feeds that were imported with --feed or set here: their rank, the fields they own, what their new records get, ' +
      'when each ran last and how many records it lists. Where several feeds send the same field of a record, the value of the ' +
      'highest one that lists the record counts; without a ranking, that of the last one.',
  );
  addResultOptions(addLedgerOption(command), 'query');
  addExamples(command, [
    ['feeds', 'the feeds, the highest first'],
    ['feeds set supplier --below erp', 'where both list a product, the ERP counts'],
    ['feeds set warehouse --own stock', 'but the stock is that of the warehouse'],
    ['feeds set erp --set-new status=activated', 'what the ERP lists for the first time is for sale at once'],
  ]);
  command.action((_: unknown, it: Command) => listFeeds(it.optsWithGlobals(), process));
  defineSet(command.command('set'), process);
  defineRetire(command.command('retire'), process);
}

function defineSet(command: Command, process: NodeJS.Process): void {
  command
    .summary('rank a feed')
    .description(
      'Ranks a feed, also before its first run. What a lower feed sends and does not get is remembered, and applies once no ' +
        'higher feed sends it. A change takes effect with the next run of each feed.',
    )
    .argument('<feed>', 'the feed', feedName)
    .option('--below <feed>', 'rank it directly below this feed; none takes its rank away', belowName)
    .option(
      '--own <fields>',
      'fields in which it outranks all others, such as stock,price; none takes them back',
      ownedFields,
    )
    .addOption(
      repeated(
        new Option(
          '--set-new <field=value>',
          'value of records that it creates, where it sends none, such as status=activated; may be repeated; none takes all back',
        ).argParser(addNewValue),
      ),
    )
    .addOption(
      new Option('--only <action>', 'let it only update records, or only create others; none for both').choices([
        ...onlyActions,
        none,
      ]),
    );
  addResultOptions(addLedgerOption(command), 'action');
  addExamples(command, [
    ['feeds set supplier --below erp', 'where both list a product, the ERP counts'],
    ['feeds set supplier --own description,media', 'but texts and photos are those of the supplier'],
    ['feeds set supplier --below none --own none', 'no ranking any more'],
  ]);
  command.action((feed: string, _: unknown, it: Command) => setFeed(feed, it.optsWithGlobals(), process));
}

function belowName(value: string): string {
  return value === none ? none : feedName(value);
}

function rankedFields(): readonly string[] {
  const all = resources.flatMap((resource) => {
    const unranked = unrankedFields(resource);
    return Object.keys(resource.fields).filter((name) => !unranked.has(name));
  });
  return [...new Set(all)];
}

function ownedFields(value: string): readonly string[] {
  if (value === none) return [];
  const known = rankedFields();
  const fields = value.split(',').map((name) => name.trim());
  const wrong = fields.find((name) => !known.includes(name));
  if (wrong === undefined) return [...new Set(fields)];
  throw new InvalidArgumentError(unknownField(wrong, 'a feed can own'));
}

/** @param use what the field would be used for */
function unknownField(name: string, use: string): string {
  const near = nearest(name, rankedFields());
  const help = near === undefined ? 'Name one such as price, stock or status.' : `Did you mean ${quote(near)}?`;
  return `${quote(name)} is not a field that ${use}. ${help}`;
}

/** Parses `status=activated`: valid for every resource that has the field and accepts the value. */
function addNewValue(value: string, before: NewValues = {}): NewValues {
  if (value === none) return {};
  const [, name = '', text = ''] = /^([a-z_]+)=(.*)$/s.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('Use field=value, such as status=activated.');
  if (!rankedFields().includes(name)) throw new InvalidArgumentError(unknownField(name, 'new records can get'));
  const next: Record<string, CheckedFields> = { ...before };
  const problems: string[] = [];
  for (const resource of resources) {
    const field = resource.fields[name];
    if (field === undefined || unrankedFields(resource).has(name)) continue;
    const diagnostics = newDiagnostics();
    const notes = { problems: [], numberInText: false, unknown: () => undefined };
    const typed = cellCoercion(field, name, { decimal: '.', empty: 'skip' })(text, notes);
    const checked = checkFields({ [name]: { ...field, required: false } }, { [name]: typed }, '', {
      diagnostics,
      isLanguage: () => true,
    });
    const [problem] = diagnostics.problems;
    if (problem !== undefined) problems.push(`${resource.command}: ${problem.message}`);
    if (checked[name] !== undefined) next[resource.name] = { ...next[resource.name], [name]: checked[name] };
  }
  if (Object.values(next).some((fields) => fields[name] !== undefined)) return next;
  throw new InvalidArgumentError(problems.join(' ') || 'Use field=value, such as status=activated.');
}

async function setFeed(feed: string, flags: SetFlags, process: NodeJS.Process): Promise<void> {
  if (flags.below === undefined && flags.own === undefined && (flags.setNew ?? flags.only) === undefined)
    throw new CatalogError('usage', 'Say what to set: --below, --own, --set-new or --only.');
  const { settings, ran } = await withLedger(
    flags,
    process.env,
    async (ledger) => {
      const all = await ledger.runs();
      return {
        settings: await ledger.setFeeds((before) => changed(before, feed, flags)),
        ran: [...all, ...(await ledger.listings(all))].map((one) => one.feed),
      };
    },
    { create: true },
  );
  const json = {
    object: 'feed',
    feed,
    order: settings.order,
    own: settings.own[feed] ?? [],
    set_new: settings.setNew[feed] ?? {},
    only: settings.only?.[feed] ?? null,
  };
  printDone(process, flags, { words: rankingWords(settings, feed), json });
  if (flags.quiet === true) return;
  if (flags.below !== undefined || flags.own !== undefined)
    process.stderr.write('It takes effect with the next run of each feed; run the highest first.\n');
  for (const name of new Set([feed, flags.below ?? none]))
    if (name !== none && !ran.includes(name))
      process.stderr.write(`Feed ${name} has not run yet.${didYouMean(name, ran)}\n`);
}

/** @throws CatalogError `usage` where the feed cannot have this rank */
function changed(before: FeedSettings, feed: string, { below, own, setNew, only }: SetFlags): FeedSettings {
  const rivals = Object.entries(before.own).filter(([name]) => name !== feed);
  for (const [name, fields] of rivals) {
    const both = fields.find((field) => own?.includes(field));
    if (both !== undefined)
      throw new CatalogError(
        'usage',
        `${both} is owned by ${name}. Take it back first: catalog-import feeds set ${name} --own ${fields.filter((field) => field !== both).join() || none}`,
      );
  }
  return {
    ...before,
    order: below === undefined ? before.order : orderOf(before.order, feed, below),
    ...(own !== undefined && { own: withEntry(before.own, feed, own.length === 0 ? undefined : own) }),
    ...(only !== undefined && { only: withEntry(before.only ?? {}, feed, only === none ? undefined : only) }),
    ...(setNew !== undefined && {
      setNew: withEntry(before.setNew, feed, Object.keys(setNew).length === 0 ? undefined : setNew),
    }),
  };
}

function withEntry<V>(record: Readonly<Record<string, V>>, name: string, value: V | undefined): Record<string, V> {
  const others = Object.entries(record).filter(([key]) => key !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

function orderOf(order: readonly string[], feed: string, below: string): readonly string[] {
  if (below === feed) throw new CatalogError('usage', `${feed} cannot be ranked below itself; name another feed.`);
  const others = order.filter((name) => name !== feed);
  if (below === none) return others.length < 2 ? [] : others;
  const place = others.includes(below) ? others.indexOf(below) + 1 : others.push(below);
  return [...others.slice(0, place), feed, ...others.slice(place)];
}

/** The ranking in a line, and what the feed owns. */
function rankingWords({ order, own, setNew, only }: FeedSettings, feed: string): string {
  const ranking = order.length === 0 ? 'No feed is ranked.' : `Ranking: ${order.join(' > ')}.`;
  const owned = own[feed] === undefined ? '' : ` ${feed} owns ${own[feed].join(', ')}.`;
  const values = newValueWords(setNew[feed]);
  const alone = only?.[feed] === undefined ? '' : ` ${feed} may only ${only[feed]}.`;
  return `${ranking}${owned}${alone}${values === '' ? '' : ` New records of ${feed}: ${values}.`}`;
}
