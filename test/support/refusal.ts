import assert from 'node:assert/strict';
import { type ErrorCategory, PlannerError } from '../../src/planner/errors';

/** Runs `call`, expects that it is refused in this category, and gives the error. */
export async function refusal(category: ErrorCategory, call: () => unknown): Promise<PlannerError> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    assert.equal(error.category, category, error.message);
    assert.notEqual(error.suggestion, '', 'a refusal says what to do next');
    assert.ok(error.message.length + error.suggestion.length < 4000, 'a refusal is short');
    return error;
  }
  throw new assert.AssertionError({ message: `expected ${category}, but the call went through` });
}
