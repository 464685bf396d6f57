import './signals.css';
import { useMemo } from 'preact/hooks';
import { query } from '../../state/router.ts';
import { Choices, readChoices } from './choices.tsx';
import { DailyReturns } from './daily-returns.tsx';
import { ExecutionTable } from './execution-table.tsx';
import { HighestReturns } from './highest-returns.tsx';
import { LiftPanel } from './lift-panel.tsx';
import { SignalPanel } from './signal-panel.tsx';
import { Tape } from './tape.tsx';

const DAY_MS = 86_400_000;

/** What the models' signals were worth: against random minutes first, the highest return last. */
export function Page() {
  const { model, days, rule, ticket } = readChoices();
  const from = useMemo(() => new Date(Date.now() - Number(days) * DAY_MS).toISOString(), [days]);
  const modelName = model === 'all' ? null : model;
  const chosen = Number(query.value.get('signal'));
  return (
    <>
      <h1>Signals</h1>
      <Choices />
      {Number.isSafeInteger(chosen) && chosen > 0 && <SignalPanel key={chosen} rowId={chosen} />}
      <LiftPanel from={from} model={modelName} rule={rule} ticketUsd={Number(ticket)} />
      <Tape from={from} model={modelName} rule={rule} ticketUsd={Number(ticket)} />
      <div class="columns">
        <ExecutionTable from={from} model={modelName} />
        <DailyReturns from={from} model={modelName} rule={rule} ticketUsd={Number(ticket)} />
      </div>
      <HighestReturns from={from} model={modelName} />
    </>
  );
}
