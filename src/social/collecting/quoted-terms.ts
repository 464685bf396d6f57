import type { Wanted } from './collector.ts';
import type { Term } from './term-groups.ts';

const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const CASHTAG = /^[A-Za-z0-9]{1,15}$/;

/** The mints and cashtags as terms in quotes, so that they contain no operators. */
export function quotedTerms({ mints, cashtags }: Wanted): Term[] {
  const quoted = (key: string): Term => ({ key, query: `"${key}"` });
  return [
    ...mints.filter((mint) => MINT.test(mint)).map(quoted),
    ...cashtags.filter((cashtag) => CASHTAG.test(cashtag)).map((cashtag) => quoted(`$${cashtag}`)),
  ];
}
