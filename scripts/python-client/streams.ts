import { argumentTexts, type Method, optionalArgument, valuesOf } from './operations.ts';
import { literal } from './python-text.ts';
import { type AsyncApi, type Parameter, refName, type Schema } from './schema.ts';
import { typeOf } from './types.ts';

/** A method for each topic: what it sends and what it is narrowed by are in its messages. */
export function streamMethodsOf({ components }: AsyncApi): readonly Method[] {
  const { schemas } = components;
  const all = Object.values(schemas);
  return all.filter(isSubscription).map((subscription) => {
    const topic = String(subscription.properties?.topic?.const);
    const event = all.find((one) => isEvent(one, topic));
    const data = event?.properties?.data;
    const params = subscription.properties?.params?.$ref;
    if (data === undefined || params === undefined) {
      throw new TypeError(`The topic ${topic} has no event or no params.`);
    }
    const properties = schemas[refName(params)]?.properties ?? {};
    const parameters = Object.entries(properties).map(
      ([name, schema]): Parameter => ({
        ...{ name, in: 'query', schema },
        ...(schema.description === undefined ? {} : { description: schema.description }),
      }),
    );
    return {
      kind: 'stream',
      name: `stream_${topic}`,
      arguments: [
        '*',
        ...parameters.map(optionalArgument),
        'since: int | None = None',
        'settings: StreamSettings | None = None',
      ],
      result: typeOf(data, 'messages.'),
      call:
        `self._stream(${literal(topic)}, ${valuesOf(parameters)}, since=since, settings=settings, ` +
        'cancellation=cancellation)',
      description:
        `Each message of the topic ${topic} once, over all connections that it takes.` +
        `${argumentTexts(parameters)}${parameters.length === 0 ? '\n\n' : '\n'}` +
        'since: seq of the last event that has been handled, to continue after it.',
    };
  });
}

function isSubscription({ properties }: Schema): boolean {
  return properties?.op?.const === 'subscribe' && properties.topic?.const !== undefined;
}

/** Messages of server-sent events have no id: each connection has one subscription. */
function isEvent({ properties }: Schema, topic: string): boolean {
  return properties?.topic?.const === topic && 'data' in properties && !('id' in properties);
}
