// For each warning of an import into a remote, the command that notices it.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { answerJson, answerReport, oddRemote, reportOn } from '../../http/client/odd-remote.js';
import { openRaw } from '../../proof/dump.js';
import type { Noticed } from './in-runs.js';
import { rows, type Shop } from './shop.js';

/** A remote that takes everything but what a test says. */
async function refusing(it: Shop, refuses: (asked: { readonly nth: number; readonly isEnd: boolean }) => boolean) {
  const remote = await oddRemote((asked, answer) => {
    const isEnd = asked.headers['catalog-run-end'] !== undefined;
    if (refuses({ nth: asked.nth, isEnd })) answerJson(answer, 503, {}, { 'retry-after': '60' });
    else answerReport(asked, answer);
  });
  onTestFinished(() => remote.stop());
  await it.intoRemote(remote.url);
}

const changedOnly = ['--changed-only'];

export const noticedInRemotes = {
  files_left_out: async (it) => {
    await it.intoRemote();
    mkdirSync(it.at('in'));
    it.write('in/products.csv', rows(3));
    it.write('in/customers.csv', 'id\ncust_1\n');
    return ['run', it.at('in')];
  },
  items_resumed: async (it) => {
    let isBroken = true;
    await refusing(it, ({ nth }) => isBroken && nth > 1);
    const typed = ['products', it.write('f.csv', rows(200)), '--concurrency', '1', '--retry-max-wait', '1s'];
    await it.run(...typed);
    isBroken = false;
    return [...typed, '--resume'];
  },
  items_not_sent: async (it) => {
    await it.intoRemote();
    return it.night(rows(3), ...changedOnly);
  },
  items_not_withheld: async (it) => {
    await it.intoRemote();
    await it.night(rows(3), ...changedOnly);
    await it.run('products', it.write('b.csv', rows(3).replaceAll(',10', ',9')), '--feed', 'b', ...changedOnly);
    return ['products', it.at('f.csv'), '--feed', 'erp', ...changedOnly];
  },
  run_end_unconfirmed: async (it) => {
    await refusing(it, ({ isEnd }) => isEnd);
    return ['products', it.write('f.csv', rows(3)), '--feed', 'erp', '--retry-max-wait', '1s'];
  },
  records_unnamed: async (it) => {
    const remote = await oddRemote((asked, answer) => {
      const end = asked.headers['catalog-run-end'] === undefined ? undefined : { passed_on: 3, data: [] };
      answerJson(answer, 200, { code: 200, title: 'OK', response: { ...reportOn(asked), end } });
    });
    onTestFinished(() => remote.stop());
    await it.intoRemote(remote.url);
    return ['products', it.write('f.csv', rows(3)), '--feed', 'erp'];
  },
  acknowledgements_damaged: async (it) => {
    await it.intoRemote();
    const typed = await it.night(rows(3), ...changedOnly);
    const state = it.at('state/catalog-import');
    for (const name of readdirSync(state).filter((one) => one.endsWith('.acknowledged.db')))
      writeFileSync(join(state, name), 'no database'.repeat(2_000));
    return typed;
  },
  remote_lost_records: async (it) => {
    const { file } = await it.intoRemote();
    await it.night(rows(60), ...changedOnly);
    const database = openRaw(file);
    database.exec('DELETE FROM product');
    database.close();
    return [
      'products',
      it.write('f.csv', `${rows(60)}0060,EUR,10\n`.replace('000,EUR,10', '000,EUR,11')),
      '--feed',
      'erp',
      ...changedOnly,
    ];
  },
} as const satisfies Noticed;
