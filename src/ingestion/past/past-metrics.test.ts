import { expect, test } from 'vitest';
import { createMetricFamilies } from '../../api/http/metrics.ts';
import { exposePast } from './past-metrics.ts';

test('states of earlier slots, what they cost and their thread are exposed in base units', async () => {
  const metrics = createMetricFamilies();
  exposePast(metrics, {
    counts: { built: 1, failed: 2, refused: 3, slots: 4, busyMs: 5_500 },
    waiting: 6,
    thread: { isRunning: true, stops: 7 },
  });
  const lines = (await metrics.render()).split('\n');
  expect(lines.filter((line) => line.startsWith('mintscope_'))).toEqual([
    'mintscope_past_states_total{result="built"} 1',
    'mintscope_past_states_total{result="failed"} 2',
    'mintscope_past_states_total{result="refused"} 3',
    'mintscope_past_slots_total 4',
    'mintscope_past_busy_seconds_total 5.5',
    'mintscope_past_states_waiting 6',
    'mintscope_past_thread_up 1',
    'mintscope_past_thread_stops_total 7',
  ]);
});
