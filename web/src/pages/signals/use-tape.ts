import { get } from '../../api/client.ts';
import { type LiveRows, numberedPage, pageOf, useLiveRows } from '../../state/use-live-rows.ts';
import type { ModelName, Signal } from './signal-types.ts';

const PAGE = 100;
const READ_EVERY_MS = 15_000;

/** Signals of a period. */
export function useTape(from: string, model: ModelName | null): LiveRows<Signal> {
  const ofModel = model === null ? {} : { model_name: model };
  return useLiveRows<Signal, number>({
    subject: `${from} ${model}`,
    topic: 'signals',
    params: ofModel,
    readPage: async (before, signal) => {
      const answer = await get(
        '/v1/signals',
        {
          from_date: from,
          limit: PAGE,
          ...ofModel,
          ...(before === null ? {} : { before_row_id: before }),
        },
        signal === undefined ? {} : { signal },
      );
      return pageOf(answer, ({ signals }) => numberedPage(signals, PAGE));
    },
    everyMs: READ_EVERY_MS,
  });
}
