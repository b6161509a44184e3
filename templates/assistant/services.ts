// Created once, before the first message. Every handler receives the object as `services`.
import { createGateway, type LanguageModel } from 'ai';
import { defineServices } from 'virgule';
import { createMockModel } from './lib/mock-model.js';

export default defineServices(({ env, clock, log }): { model: LanguageModel } => {
  const apiKey = env.AI_GATEWAY_API_KEY;
  if (apiKey) return { model: createGateway({ apiKey })('openai/gpt-5-mini') };
  log.info('using the mock model: AI_GATEWAY_API_KEY is not set');
  return { model: createMockModel(clock) };
});
