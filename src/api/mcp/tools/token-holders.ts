/** Who holds a token. */
import type { Static } from 'typebox';
import { HoldersBody } from '../../present/holders-body.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { TokenArgument } from './argument-schemas.ts';
import { defineTool } from './tool.ts';

type Holder = Static<typeof HoldersBody.schema>['holders'][number];

const SHARE_DIGITS = 4;

export const tokenHolders = defineTool({
  name: 'token_holders',
  title: 'List the holders of a token',
  description:
    'Who holds a token, largest first: share of supply, whether a person, bot, pool or burn address, ' +
    'labels such as sniper, cluster of linked wallets, profit. explain_wallet says more about one of ' +
    'them, compare_wallets whether two belong together.',
  arguments: { token_address: TokenArgument },
  async find({ token_address: mint }, reader, { detail }) {
    const path = `/v1/token/${mint}/holders`;
    const query = { limit: DETAIL[detail].entriesMax };
    const { count, holders } = await reader.read(path, HoldersBody.schema, query);
    const wallets = holders.filter(({ kind }) => kind === 'wallet');
    const share = shareOf(wallets);
    const held =
      share === null ? 'Their share is unknown.' : `They hold ${share} of the supply (0 to 1).`;
    return {
      summary: `${count} wallets hold ${mint}. Among its ${holders.length} largest balances ${wallets.length} are of wallets. ${held}`,
      facts: { holder_count: count, share_of_listed_wallets: share },
      lists: { holders: holders.map(holderFacts) },
      links: { api: [pathOf(path, query)], page: `/token/${mint}` },
    };
  },
});

/** Sum of the shares of the supply; null if one is unknown. */
function shareOf(holders: readonly Holder[]): string | null {
  let sum = 0;
  for (const { share_of_supply: share } of holders) {
    if (share === null) return null;
    sum += Number(share);
  }
  return sum.toFixed(SHARE_DIGITS);
}

function holderFacts(holder: Holder) {
  return {
    address: holder.holder_address,
    kind: holder.kind,
    share_of_supply: holder.share_of_supply,
    balance: holder.balance,
    class: holder.class,
    rules: holder.token_rules.map(({ rule }) => rule),
    labels: holder.labels,
    cluster_id: holder.cluster_id,
    realised_usd: holder.realised_usd,
    unrealised_usd: holder.unrealised_usd,
  };
}
