/** Who a wallet is: person or bot, skill, funding, positions, links and findings. */
import type { Static } from 'typebox';
import { FindingListBody } from '../../present/finding-list-body.ts';
import { WalletBody } from '../../present/wallet-body.ts';
import { WalletLinksBody } from '../../present/wallet-lists-body.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { WalletArgument } from './argument-schemas.ts';
import { defineTool } from './tool.ts';
import { classText, type Wallet, walletFacts } from './wallet-facts.ts';

type Link = Static<typeof WalletLinksBody.schema>['links'][number];

export const explainWallet = defineTool({
  name: 'explain_wallet',
  title: 'Explain a wallet',
  description:
    'Who a wallet is: person or bot and why, skill against others, who funded it first, positions ' +
    'with profit, linked wallets, and fraud findings that it takes part in.',
  arguments: { wallet_address: WalletArgument('Address of the wallet, base58.') },
  async find({ wallet_address: address }, reader, { detail }) {
    const path = `/v1/wallets/${address}`;
    const limit = DETAIL[detail].entriesMax;
    const involved = { wallet_address: address, limit };
    const [wallet, { links }, { classifications }] = await Promise.all([
      reader.read(path, WalletBody.schema),
      reader.read(`${path}/links`, WalletLinksBody.schema, { limit }),
      reader.read('/v1/fraud/classifications', FindingListBody.schema, involved),
    ]);
    return {
      summary: `${address} ${classText(wallet)}, holds or held ${wallet.position_count} tokens, and takes part in ${countText(classifications.length, limit)} fraud findings.`,
      facts: walletFacts(wallet),
      lists: {
        findings: classifications.map((one) => ({
          id: one.id,
          fraud_type: one.fraud_type,
          confidence_score: one.confidence_score,
          token_address: one.token_address,
          role: one.involved_wallets.find((other) => other.address === address)?.role ?? null,
        })),
        token_rules: wallet.token_rules.map(({ token_address, rule, kind, meaning }) => ({
          token_address,
          rule,
          kind,
          meaning,
        })),
        positions: wallet.positions.map(positionFacts),
        linked_wallets: links.map(linkFacts),
      },
      links: {
        api: [
          path,
          pathOf(`${path}/links`, { limit }),
          pathOf('/v1/fraud/classifications', involved),
        ],
        page: `/wallet/${address}`,
      },
    };
  },
});

function countText(count: number, most: number): string {
  return count < most ? String(count) : `at least ${count}`;
}

function positionFacts(position: Wallet['positions'][number]) {
  return {
    token_address: position.token_address,
    value_usd: position.value_usd,
    realised_usd: position.realised_usd,
    unrealised_usd: position.unrealised_usd,
    buys: position.buys,
    sells: position.sells,
    ...untrusted({ symbol: position.symbol }),
  };
}

function linkFacts({ wallet_address, kind, strength, transactions }: Link) {
  return { wallet_address, kind, strength, transaction: transactions[0]?.signature ?? null };
}
