/** How far and how completely the service has read the chain. */
import { CoverageBody } from '../../present/coverage-body.ts';
import { defineTool } from './tool.ts';

export const dataStatus = defineTool({
  name: 'data_status',
  title: 'State of the data',
  description:
    'What the service knows of the chain: first and last slot, missing slots, share of transactions ' +
    'that its decoders explain, and whether the chain is simulated. Use it when an answer says that ' +
    'it is incomplete or old.',
  arguments: {},
  async find(_given, reader) {
    const found = await reader.read('/v1/coverage', CoverageBody.schema);
    const { first_slot: first, last_slot: last, missing_slots: missing } = found;
    const { chain } = reader.provenance();
    return {
      summary: `${chain === 'simulated' ? 'A simulated market, no real chain' : 'Solana'}: slots ${first ?? 'none'} to ${last ?? 'none'} with ${missing} missing; ${found.explained_share ?? 'an unknown share'} of the transactions that move pools are explained.`,
      facts: {
        first_slot: first,
        last_slot: last,
        final_slot: found.final_slot,
        slots: found.slots,
        missing_slots: missing,
        gap_count: found.gaps_total,
        transactions: found.transactions,
        swaps: found.swaps,
        explained_share: found.explained_share,
        inferred_share: found.inferred_share,
      },
      lists: { gaps: found.gaps.map(({ from_slot, to_slot }) => ({ from_slot, to_slot })) },
      links: { api: ['/v1/coverage'], page: '/operations' },
    };
  },
});
