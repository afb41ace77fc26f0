import fc from 'fast-check';

/*
 * Property tests try the same cases every time, so that a change is judged by what it changes. To look for new ones:
 * `TEST_SEED=$RANDOM npm test -- unit`; a failure prints its seed and path.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED ?? 9) });
