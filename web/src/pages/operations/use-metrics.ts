import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../api/client.ts';
import type { Read } from '../../state/use-read.ts';
import { type MetricSample, parseMetrics } from './parse-metrics.ts';

type Samples = readonly MetricSample[];

/** Reads `/metrics`, which is text and not JSON, again after a time. */
export function useMetrics(everyMs: number): Read<Samples> {
  const [answer, setAnswer] = useState<Answer<Samples> | null>(null);
  const [body, setBody] = useState<Samples | null>(null);
  const [round, setRound] = useState(0);
  // `round` is no input of the read: it starts it again.
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = async () => {
      const next = await readMetrics(ending.signal);
      if (ending.signal.aborted) return;
      if ('ok' in next) setBody(next.ok);
      setAnswer(next);
      timer = setTimeout(() => void read(), everyMs);
    };
    void read();
    return () => {
      ending.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [everyMs, round]);
  return { answer, body, isLoading: answer === null, reload: () => setRound((old) => old + 1) };
}

async function readMetrics(signal: AbortSignal): Promise<Answer<Samples>> {
  try {
    const response = await fetch('/metrics', { credentials: 'same-origin', signal });
    if (!response.ok) {
      const message = `The service answered with status ${response.status}.`;
      return { error: response.status, message };
    }
    const ok = parseMetrics(await response.text());
    return { ok, slot: null, ageMs: null, isComplete: true, isSimulated: false };
  } catch {
    return { error: 0, message: 'The service does not answer.' };
  }
}
