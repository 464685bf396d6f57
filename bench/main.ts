/**
 * Measures what ARCHITECTURE promises and prints tables. Nothing here can fail a build: numbers
 * belong to the machine they were taken on.
 *
 * npm run bench [-- decode|fold|pipeline|workers|memory|candles|trades|exports|history|tokens|http|batches|compression|client|mcp|serving|start|restart|simulator|social|triggers|streams|topics|fraud|rules|check ...] [--rounds N] [--swaps N]
 * [--gigabytes N] [--transactions N] [--tokens N] [--signals N] [--clients N] [--rows] [--package] [--folder F]
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from '../scripts/answer-help.ts';
import { benchBatches } from './batches.ts';
import { benchCandles } from './candles.ts';
import { benchCheck } from './check.ts';
import { benchClient } from './client.ts';
import { benchCompression } from './compression.ts';
import { benchDecode } from './decode.ts';
import { benchExports } from './exports.ts';
import { benchFirings } from './firings.ts';
import { benchFirstAnswer } from './first-answer.ts';
import { benchFold } from './fold.ts';
import { benchFraudCase } from './fraud-case.ts';
import { benchHotRead } from './hot-read.ts';
import { benchIndicatorHistory } from './indicator-history.ts';
import { benchMarket } from './market.ts';
import { benchMarketMemory } from './market-memory.ts';
import { benchMcp } from './mcp.ts';
import { benchMemory } from './memory.ts';
import { benchPipeline } from './pipeline.ts';
import { benchRestart } from './restart.ts';
import { benchRules } from './rules.ts';
import { benchServing } from './serving.ts';
import { benchSignals } from './signals.ts';
import { benchSimulator } from './simulator.ts';
import { benchSocial } from './social.ts';
import { benchStreams } from './streams.ts';
import { benchTokens } from './tokens.ts';
import { benchTopics } from './topics.ts';
import { benchTrades } from './trades.ts';
import { benchTriggers } from './triggers.ts';
import { benchWorkers } from './workers.ts';

answerHelp(`Measures the parts of the service on this machine and prints tables; see docs/quality for results.

  npm run bench -- [names] [options]

Names: decode, fold, pipeline, workers, memory, candles, trades, exports, history, tokens, http,
batches, compression, client, mcp, serving, start, restart, simulator, social, triggers, streams, topics, fraud,
rules, check; all without one, which takes an hour.

  --rounds <number>        repetitions (15)
  --swaps <number>         of candles, trades, exports and a restart, at least (1000000)
  --transactions <number>  of fraud cases (1000000)
  --tokens <number>        of the list of tokens (100000)
  --signals <number>       of the list of signals (100000)
  --clients <number>       of streams and topics (2000)
  --gigabytes <number>     of a check (1)
  --rows                   with its rows on a thread of their own
  --folder <folder>        data that a restart reads; data of candles, trades and exports, filled once
  --package                start: the package, made and installed as an operator does

Examples:
  npm run bench -- decode fold
  npm run bench -- start --package`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    swaps: { type: 'string', default: '1000000' },
    transactions: { type: 'string', default: '1000000' },
    tokens: { type: 'string', default: '100000' },
    signals: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '2000' },
    rows: { type: 'boolean', default: false },
    package: { type: 'boolean', default: false },
    folder: { type: 'string' },
    gigabytes: { type: 'string', default: '1' },
  },
});
const testData = resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data');
const wanted = (name: string) => positionals.length === 0 || positionals.includes(name);

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
if (wanted('fraud')) benchFraudCase(Number(values.rounds));
if (wanted('decode')) benchDecode(testData, Number(values.rounds));
if (wanted('fold')) benchFold(testData);
if (wanted('pipeline')) await benchPipeline(testData);
if (wanted('workers')) await benchWorkers(testData);
if (wanted('memory')) await benchMemory(testData);
if (wanted('triggers')) benchTriggers();
if (wanted('firings')) await benchFirings();
if (wanted('rules')) benchRules();
if (wanted('signals')) await benchSignals(Number(values.signals));
if (wanted('streams')) await benchStreams();
if (wanted('topics')) await benchTopics(Number(values.clients));
if (wanted('candles')) await benchCandles(Number(values.swaps), values.folder ?? null);
if (wanted('trades')) await benchTrades(Number(values.swaps), values.folder ?? null);
if (wanted('exports')) await benchExports(Number(values.swaps), values.folder ?? null);
if (wanted('history')) await benchIndicatorHistory();
if (wanted('tokens')) {
  benchMarketMemory(Number(values.tokens));
  benchMarket(Number(values.tokens));
  await benchTokens(Number(values.tokens));
}
if (wanted('social')) await benchSocial();
if (wanted('http')) await benchHotRead(Math.min(5, Number(values.rounds)));
if (wanted('batches')) await benchBatches();
if (wanted('compression')) await benchCompression();
if (wanted('client')) await benchClient();
if (wanted('mcp')) await benchMcp();
if (wanted('serving')) await benchServing();
if (wanted('start')) await benchFirstAnswer(values.package);
if (wanted('restart')) await benchRestart(Number(values.swaps), values.folder ?? null);
if (wanted('check')) await benchCheck(Number(values.gigabytes));
if (wanted('simulator')) await benchSimulator(Number(values.transactions));
