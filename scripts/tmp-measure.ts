import { toChainBlock } from '../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../simulator/simulation.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { TapeRecorder } from '../src/backtest/recording/tape-recorder.ts';
import { judgeTape } from '../src/backtest/recording/judge-tape.ts';
import { CutLog } from '../src/backtest/proof/cut-log.ts';
import { testedRule, TAPE_FEATURES } from '../src/backtest/recording/compiled-tested-rule.ts';
import { compileRuleText } from '../src/rules/compile-rule.ts';
import { BACKTEST_DEFAULTS } from '../src/model/backtest.ts';
import { reportOf } from '../src/backtest/report-of.ts';

const days = Number(process.argv[2] ?? 3);
const config = { ...PRESETS.waves, seed: process.argv[3] ?? 'backtest 1' };
const t0 = performance.now();
const simulation = createSimulation(config);
const log: SlotFacts[] = [];
const endMs = config.startMs + days * 86_400_000;
let n = 0, tx = 0;
while (simulation.world.nowMs < endMs) {
  const step = simulation.step();
  if (step === null || !step.isCanonical) continue;
  const facts = decodeBlock(toChainBlock(step.block));
  log.push(facts); tx += facts.transactions.length;
  if (n++ % 1000 === 0) simulation.takePosts();
}
console.log('simulated', days, 'days', log.length, 'slots', tx, 'tx', ((performance.now() - t0) / 1000).toFixed(1), 's');
const text = `
name: price-up
version: 1
kind: signal
scope: pool_minute
title: Price up
pattern: Price up.
rationale: Momentum.
look_alikes: [none]
when: token.age_minutes >= 10.0 && pool.buy_share >= 0.5
confidence: 0.5
evidence: [token.age_minutes]
`;
const compiled = compileRuleText(text);
if (compiled.value === null) { console.log(compiled.problems); process.exit(1); }
const rule = testedRule(compiled.value);
const options = { ...BACKTEST_DEFAULTS, fromMs: config.startMs, toMs: endMs, failedShare: 0.1 };
const t1 = performance.now();
const recorder = new TapeRecorder(TAPE_FEATURES, options.fromMs);
const engine = new Engine({ fallbackSolUsd: null, models: [recorder.model] });
for (const facts of log) {
  const before = engine.solUsd;
  const changes = engine.apply(facts);
  recorder.endSlot(changes, before, engine.solUsd);
}
const tape = recorder.finish();
const recording = judgeTape(tape, [rule], options);
const t2 = performance.now();
console.log('refold', ((t2 - t1) / 1000).toFixed(1), 's; minutes', recording.minutes, 'hits', recording.hits[0]?.length, 'controls', recording.controls.length);
const report = reportOf({ rules: [rule.id], options, tape, judged: recording, tries: 1, lookAhead: null });
const t3 = performance.now();
console.log('report', ((t3 - t2) / 1000).toFixed(1), 's');
const cut = new CutLog(TAPE_FEATURES, recording.hits[0] ?? []);
const second = new Engine({ fallbackSolUsd: null, models: [cut.model] });
const last = cut.lastSlot ?? 0;
for (const facts of log) { if (facts.slot > last) break; cut.apply(second, facts); }
console.log('proof', ((performance.now() - t3) / 1000).toFixed(1), 's', JSON.stringify(cut.report).slice(0, 500));
console.log(JSON.stringify(report.delays[2], (_, v) => typeof v === 'bigint' ? Number(v) / 1e9 : v, 0).slice(0, 1500), report.tries);
