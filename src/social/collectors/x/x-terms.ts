import type { Wanted } from '../../collecting/collector.ts';
import type { Term } from '../../collecting/term-groups.ts';

const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const CASHTAG = /^[A-Za-z][A-Za-z0-9_]{0,14}$/;
const OFFICIAL_ACCOUNT = /^x\.com\/@?(\w{1,15})$/;

/**
 * The search terms for X: addresses in texts and links, accounts of tokens, cashtags. Terms that
 * could have another meaning in a query are omitted: one bad term makes X refuse the whole query.
 */
export function xTerms({ mints, cashtags, links }: Wanted): Term[] {
  const accounts = links.flatMap((link) => OFFICIAL_ACCOUNT.exec(link)?.[1] ?? []);
  return [
    ...mints.filter((mint) => MINT.test(mint)).map((mint) => term(mint, `${mint} OR url:${mint}`)),
    ...accounts.map((account) => term(`@${account}`, `@${account}`)),
    ...cashtags.filter((cashtag) => CASHTAG.test(cashtag)).map((tag) => term(`$${tag}`, `$${tag}`)),
  ];
}

function term(key: string, query: string): Term {
  return { key, query };
}
