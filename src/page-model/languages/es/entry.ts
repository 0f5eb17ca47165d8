import type { EntryWords } from '../en/entry.js';

/** Spanish words of the ways into a private page. */
export const ENTRY_ES: EntryWords = {
  sent: 'Revise su bandeja de entrada',
  sent_text:
    'Si esta dirección tiene acceso, recibirá un correo con un enlace. El enlace funciona una sola vez, durante 15 minutos. Si no llega en unos minutos, mire en la carpeta de correo no deseado.',
  open: 'Abrir la página de estado',
  open_text: 'Pulse el botón para abrir esta página de estado como:',
  invalid: 'Este enlace ya no es válido',
  invalid_text: 'El enlace está incompleto, ha caducado o ya se ha usado. Solicite uno nuevo.',
  too_many: (time) => `Ha habido demasiados intentos. Inténtelo de nuevo ${time}.`,
  until_then: 'Hasta entonces, puede acceder de otra forma.',
  redirect: 'Iniciar sesión',
  redirect_text: 'Continuará en la página de inicio de sesión de:',
  continue: 'Continuar',
  cancelled: 'No ha iniciado sesión',
  cancelled_text: 'El inicio de sesión se ha cancelado, o su cuenta no tiene permiso.',
  denied: 'Esta cuenta no tiene acceso',
  denied_text: 'Inicie sesión con otra cuenta, o pida acceso al responsable de esta página de estado.',
  expired: 'El inicio de sesión ha caducado',
  expired_text: 'Ha tardado demasiado, o lo ha reemplazado otro inicio de sesión. Empiece de nuevo.',
  failed: 'El inicio de sesión no funciona en este momento',
  failed_text: 'El servicio de inicio de sesión no responde como se esperaba. Inténtelo más tarde.',
  reason: 'Motivo:',
  again: 'Volver a la página de estado',
};
