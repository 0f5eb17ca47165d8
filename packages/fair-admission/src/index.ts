export {
  type AdmissionOptions,
  type AdmittedRequest,
  dropClient,
  FairAdmission,
  leaveTurn,
  withoutTurn,
} from './fair-admission.js';
export { FairTurns, type Turn, type TurnHandlers, type TurnLimits } from './fair-turns.js';
export { pieces } from './pieces.js';
