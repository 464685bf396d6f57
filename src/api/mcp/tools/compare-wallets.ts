/** Whether two wallets belong together: links, shared tokens and shared findings. */
import { FindingListBody } from '../../present/finding-list-body.ts';
import { WalletBody } from '../../present/wallet-body.ts';
import { WalletLinksBody } from '../../present/wallet-lists-body.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { ToolRefusal } from '../answer/api-answer.ts';
import { WalletArgument } from './argument-schemas.ts';
import { defineTool } from './tool.ts';
import { classText, walletFacts } from './wallet-facts.ts';

const MANY = 500;
const SIGNATURES_SHOWN = 3;

export const compareWallets = defineTool({
  name: 'compare_wallets',
  title: 'Compare two wallets',
  description:
    'Do two wallets belong together: payments and token transfers between them with transactions, ' +
    'following purchases, the same first funder, tokens that both traded, findings that both take ' +
    'part in, and what each of them is.',
  arguments: {
    first_address: WalletArgument('Address of one wallet, base58.'),
    second_address: WalletArgument('Address of the other wallet, base58.'),
  },
  async find({ first_address: first, second_address: second }, reader) {
    if (first === second) throw new ToolRefusal('The two addresses are the same wallet.');
    const [one, other, { links, next_cursor: more }, found] = await Promise.all([
      reader.read(`/v1/wallets/${first}`, WalletBody.schema),
      reader.read(`/v1/wallets/${second}`, WalletBody.schema),
      reader.read(`/v1/wallets/${first}/links`, WalletLinksBody.schema, { limit: MANY }),
      reader.read('/v1/fraud/classifications', FindingListBody.schema, {
        wallet_address: first,
        limit: MANY,
      }),
    ]);
    const between = links.filter(({ wallet_address }) => wallet_address === second);
    const funder = one.first_funding?.funder_address ?? null;
    const isSameFunder =
      funder === null || other.first_funding === null
        ? null
        : funder === other.first_funding.funder_address;
    const heldByOther = new Set(other.positions.map(({ token_address }) => token_address));
    const shared = one.positions.filter(({ token_address }) => heldByOther.has(token_address));
    const findings = found.classifications.filter(({ involved_wallets: involved }) =>
      involved.some(({ address }) => address === second),
    );
    return {
      summary: `${first} ${classText(one)}; ${second} ${classText(other)}. ${between.length} kinds of links between them, ${shared.length} shared tokens among the listed positions, ${findings.length} shared findings${isSameFunder === true ? ', and the same first funder' : ''}.`,
      facts: {
        is_same_first_funder: isSameFunder,
        are_all_links_read: more === null,
        are_all_findings_read: found.next_cursor === null,
        first: walletFacts(one),
        second: walletFacts(other),
      },
      lists: {
        links: between.map(({ kind, strength, transactions }) => ({
          kind: `first ${kind} second`,
          strength,
          transactions: transactions.length,
          signatures: transactions.slice(0, SIGNATURES_SHOWN).map(({ signature }) => signature),
        })),
        shared_findings: findings.map(({ id, fraud_type, confidence_score, token_address }) => ({
          id,
          fraud_type,
          confidence_score,
          token_address,
        })),
        shared_tokens: shared.map(({ token_address }) => token_address),
      },
      links: {
        api: [
          `/v1/wallets/${first}`,
          `/v1/wallets/${second}`,
          pathOf(`/v1/wallets/${first}/links`, { limit: MANY }),
        ],
        page: `/wallet/${first}`,
      },
    };
  },
});
