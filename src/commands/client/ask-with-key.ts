import { type AskApi, ToolRefusal } from '../../api/mcp/answer/api-answer.ts';
import { ServiceError } from '../../model/errors.ts';
import { fetchAnswer } from './ask-service.ts';
import type { ServiceAddress } from './service-address.ts';
import { refusal } from './service-problems.ts';

/**
 * Lets tools ask a running service. Whatever the user of the command has to mend (no service, another
 * address, no key) is a refusal that says what to do.
 */
export function askWithKey(address: ServiceAddress): AskApi {
  return async (path, signal) => {
    try {
      const answer = await fetchAnswer(address, { path, ...(signal && { signal }) });
      const { status, headers, text } = answer;
      if (status === 401 || (status >= 300 && status < 400)) {
        throw refusal({ ...answer, hasKey: address.key !== null });
      }
      return { status, text, header: (name) => headers.get(name) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ToolRefusal(error.message, { cause: error });
    }
  };
}
