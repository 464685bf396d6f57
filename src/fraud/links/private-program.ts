import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** A program with more users than this is offered to the public. */
const USERS_MAX = 20;
const STRENGTH = 0.5;

/** B-program: both wallets trade through a program that few other wallets use. */
export const privateProgram: LinkFamily = { name: 'private-program', kind: 'market', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const through = mintCase.trades.filter((trade) => trade.privateProgram !== null);
  for (const [program, trades] of Map.groupBy(through, (trade) => trade.privateProgram)) {
    const users = new Set(trades.map(({ wallet }) => wallet));
    if (users.size > USERS_MAX) continue;
    yield {
      relationship: 'common_program',
      via: program,
      strength: STRENGTH,
      members: evenly(users),
    };
  }
}
