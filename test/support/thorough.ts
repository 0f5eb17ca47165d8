/** Whether tests try all their cases, as in `npm run test:system`; in `npm test`, they try fewer. */
export const isThorough = process.env['TEST_THOROUGH'] === 'true';
