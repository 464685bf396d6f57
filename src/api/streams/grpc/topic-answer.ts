import type { SlotItem, StreamTopic } from '../../../model/slot-frame.ts';
import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Encoded } from '../stream-client.ts';
import type { ItemData, LogEntry } from '../topics/stream-log.ts';
import { parseTopicParameters, toTopicRequest } from '../topics/topic-parameters.ts';
import { TopicSource } from '../topics/topic-source.ts';
import type { GrpcAnswer, GrpcMessage } from './grpc-stream.ts';

type ItemOf<Topic extends StreamTopic> = Extract<SlotItem, { readonly topic: Topic }>;

interface TopicCall<Topic extends StreamTopic> {
  readonly topic: Topic;
  /** Parameters of the topic; an empty text is a parameter that is not given. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly encode: (
    item: ItemOf<Topic>,
    entry: Pick<LogEntry, 'isUndo'> & Pick<ItemData, 'context'>,
  ) => Encoded<GrpcMessage>;
}

/**
 * A topic of the filtered stream as the answer to a call: what the account of the key may subscribe
 * to, with the same parameters. Throws ApiError for parameters that the topic refuses.
 */
export function answerWithTopic<Topic extends StreamTopic>(
  { hub }: Pick<ApiDeps, 'hub'>,
  { accountId }: Pick<ApiKey, 'accountId'>,
  { topic, parameters, encode }: TopicCall<Topic>,
): GrpcAnswer<LogEntry> {
  const given = Object.entries(parameters).filter(([, text]) => text !== '');
  const values = parseTopicParameters(topic, Object.fromEntries(given));
  const isOfTopic = (item: SlotItem): item is ItemOf<Topic> => item.topic === topic;
  return {
    source: new TopicSource(hub, toTopicRequest(topic, values, accountId)),
    encode: ({ item: { data, isUndo } }) =>
      isOfTopic(data.item) ? [encode(data.item, { isUndo, context: data.context })] : [],
  };
}
