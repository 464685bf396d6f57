import { Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/**
 * Adds metadata about the service to what each call is first answered with: the initial metadata, or
 * the status of a call that is refused without any.
 */
export function serviceMetadata(entries: Readonly<Record<string, string>>): ServerInterceptor {
  const addTo = (metadata: Metadata) => {
    for (const [name, text] of Object.entries(entries)) metadata.set(name, text);
    return metadata;
  };
  return (_method, call) => {
    let isAnswered = false;
    return new ServerInterceptingCall(call, {
      sendMetadata(metadata, next) {
        isAnswered = true;
        next(addTo(metadata));
      },
      sendStatus(end, next) {
        next(isAnswered ? end : { ...end, metadata: addTo(end.metadata ?? new Metadata()) });
      },
    });
  };
}
