import { formatFixed } from '../../lib/decimal.ts';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import {
  CHAIN_EDGE_KINDS,
  type FindingGraph,
  type GraphEdge,
  type GraphNode,
  RELATION_EDGE_KINDS,
} from '../../model/finding-graph.ts';
import { WALLET_ROLES } from '../../model/fraud.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import {
  address,
  decimal,
  integer,
  list,
  maybeWord,
  nullable,
  plain,
  sol,
  text,
  uuid,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** The context are the decimals of the mint. */
const Node = wireRecord<GraphNode, number>()({
  address: [address, 'address'],
  role: [
    maybeWord(WALLET_ROLES),
    ({ involved }) => involved?.role ?? null,
    'Role in the pattern; null for an address that only edges name, such as a pool or a funder.',
  ],
  class: [
    maybeWord([...ADDRESS_CLASSES, 'hub']),
    'class',
    'Known class of the address; null for an ordinary wallet.',
  ],
  tokens_acquired: [
    nullable(decimal),
    ({ involved }, decimals) => involved && formatFixed(involved.tokensAcquiredRaw, decimals),
    'Whole tokens that an involved wallet acquired.',
  ],
  sol_spent: [nullable(sol), ({ involved }) => involved?.spentLamports ?? null],
  sol_received: [nullable(sol), ({ involved }) => involved?.receivedLamports ?? null],
  labels: [list(text), ({ involved }) => involved?.labels ?? []],
});

const Edge = wireRecord<GraphEdge, number>()({
  from: [address, 'from'],
  to: [address, 'to'],
  kind: [
    word([...CHAIN_EDGE_KINDS, ...RELATION_EDGE_KINDS]),
    'kind',
    'payment: SOL; token_transfer: tokens; buy and sell: a trade of the wallet (from) on the pool ' +
      '(to); liquidity_added and liquidity_removed: liquidity of the pool (to). All other kinds are relations of the evidence that no single transaction between the ' +
      'two addresses shows.',
  ],
  sol_amount: [
    nullable(sol),
    'lamports',
    'SOL of a payment, trade or liquidity, other quotes at their price in SOL; null if unknown.',
  ],
  token_amount: [
    nullable(decimal),
    ({ tokensRaw }, decimals) => (tokensRaw === null ? null : formatFixed(tokensRaw, decimals)),
    'Whole tokens of a trade, transfer or liquidity.',
  ],
  slot: [nullable(integer), 'slot', 'Null for a relation.'],
  signature: [nullable(text), 'signature', 'Transaction signature; null for a relation.'],
});

/** The context is the ID of the classification. */
export const FindingGraphBody = wireRecord<FindingGraph, string>()(
  {
    classification_id: [uuid, (_, id) => id],
    nodes: [
      plain(list(Node).schema),
      ({ nodes, decimals }) => nodes.map((node) => Node.present(node, decimals)),
      'Involved wallets in the order of the classification, then all other addresses of edges.',
    ],
    edges: [
      plain(list(Edge).schema),
      ({ edges, decimals }) => edges.map((edge) => Edge.present(edge, decimals)),
      'In block order, relations last; at most 2000.',
    ],
    unresolved_signatures: [
      list(text),
      'unresolved',
      'Transactions of the evidence that no edge shows, because their record is no longer kept.',
    ],
  },
  {
    description: 'The graph of the classification.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        classification_id: EXAMPLE.uuid,
        nodes: [
          {
            address: EXAMPLE.wallet,
            role: 'bundler',
            class: null,
            tokens_acquired: '310.000000',
            sol_spent: '2.500000000',
            sol_received: '0.000000000',
            labels: [],
          },
          {
            address: EXAMPLE.pool,
            role: null,
            class: 'pool',
            tokens_acquired: null,
            sol_spent: null,
            sol_received: null,
            labels: [],
          },
        ],
        edges: [
          {
            from: EXAMPLE.wallet,
            to: EXAMPLE.pool,
            kind: 'buy',
            sol_amount: '2.500000000',
            token_amount: '310.000000',
            slot: EXAMPLE.slot,
            signature: EXAMPLE.signature,
          },
        ],
        unresolved_signatures: [],
      },
    ],
  },
);
