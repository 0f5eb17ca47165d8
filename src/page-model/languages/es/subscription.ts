import type { SubscriptionWords } from '../en/subscription.js';

/** Spanish words of subscriptions. */
export const SUBSCRIPTION_ES: SubscriptionWords = {
  email: 'Dirección de correo',
  email_hint:
    'Le enviamos un enlace para confirmar la dirección. Cada correo contiene un enlace para cancelar la suscripción.',
  systems: 'Sistemas',
  all_systems: 'Todos los sistemas',
  some_systems: 'Solo estos sistemas',
  amount: 'Cantidad de correos',
  every_update: 'Cada actualización',
  edges: 'Solo la primera y la última actualización',
  edges_hint: 'Un correo cuando empieza un incidente o un mantenimiento, y otro cuando termina.',
  maintenances: 'Recibir también correos sobre mantenimientos previstos',
  email_empty: 'Introduzca su dirección de correo.',
  email_invalid: 'Introduzca una dirección de correo como nombre@example.com.',
  systems_empty: 'Seleccione al menos un sistema.',
  choice_invalid: 'Seleccione una de las opciones.',
  errors: 'Corrija estos datos:',
  sent: 'Revise su bandeja de entrada',
  sent_text:
    'Si podemos enviar correos a esta dirección, recibirá un enlace en unos minutos. Ábralo para continuar. Si no llega, mire en la carpeta de correo no deseado.',
  by_feed: 'Feeds y calendario',
  confirm: 'Confirmar la suscripción',
  confirm_text: 'Pulse el botón para recibir las actualizaciones en esta dirección:',
  confirmed: 'Se ha suscrito',
  confirmed_text: 'Las actualizaciones se enviarán a esta dirección:',
  manage: 'Su suscripción',
  manage_link: 'Cambiar o cancelar la suscripción',
  save: 'Guardar los cambios',
  saved: 'Sus cambios se han guardado.',
  unsubscribe: 'Cancelar la suscripción',
  unsubscribe_text: 'Pulse el botón para no recibir más correos en esta dirección:',
  unsubscribed: 'Ha cancelado la suscripción',
  unsubscribed_text: 'No recibirá más correos de esta página de estado. Su dirección se ha eliminado.',
  invalid: 'Este enlace ya no es válido',
  invalid_text:
    'El enlace está incompleto, ha caducado o la suscripción ha terminado. Si ha cancelado la suscripción, no recibirá más correos.',
  too_many: 'Demasiadas suscripciones',
  too_many_text:
    'Se han solicitado demasiadas suscripciones desde su red. Inténtelo de nuevo dentro de una hora.',
};
