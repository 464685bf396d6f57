import { RulesBody } from '../../api/present/present-rule.ts';
import { askService } from '../client/ask-service.ts';
import { parseAnswer } from '../client/parse-answer.ts';
import type { ServiceAddress } from '../client/service-address.ts';

/** The rules that a running service has for the account of the key. */
export async function rulesOfService(address: ServiceAddress) {
  const { text } = await askService(address, { path: '/v1/rules' });
  return parseAnswer(text, RulesBody, address.baseUrl.host).rules;
}
