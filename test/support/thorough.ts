/** Whether tests run all their cases, as in `npm run test:system`. In `npm test`, they run fewer. */
export const isThorough = process.env['TEST_THOROUGH'] === 'true';
