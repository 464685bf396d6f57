import type { SlotTraces } from '../bridge/slot-traces.ts';
import type { Source } from '../chain/source.ts';
import type { Config } from '../config/config-settings.ts';
import { VERSION } from '../config/version.ts';
import type { SlotSpans } from '../tracing/slot-spans.ts';

/** Opens the traces of slots, if an endpoint is configured; the packages for them are loaded here. */
export async function openSlotTraces({ otlpEndpoint }: Config): Promise<SlotTraces | null> {
  if (otlpEndpoint === null) return null;
  const { openTracing } = await import('../tracing/open-tracing.ts');
  const { SlotSpans } = await import('../tracing/slot-spans.ts');
  const tracing = await openTracing({ endpoint: otlpEndpoint, version: VERSION });
  return { spans: new SlotSpans(tracing.tracer), tracing };
}

/** The same source, whose items are noted as they arrive. */
export function watchedSource(source: Source, spans: SlotSpans): Source {
  return new Proxy(source, {
    get(target, name) {
      if (name === Symbol.asyncIterator) return () => spans.watch(target);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
