import type { SubscriptionWords } from '../en/subscription.js';

/** Portuguese words of subscriptions. */
export const SUBSCRIPTION_PT: SubscriptionWords = {
  email: 'Endereço de e-mail',
  email_hint:
    'Enviamos um link para confirmar o endereço. Cada e-mail contém um link para cancelar a assinatura.',
  systems: 'Sistemas',
  all_systems: 'Todos os sistemas',
  some_systems: 'Somente estes sistemas',
  amount: 'Quantidade de e-mails',
  every_update: 'Cada atualização',
  edges: 'Somente a primeira e a última atualização',
  edges_hint: 'Um e-mail quando um incidente ou uma manutenção começa, e outro quando termina.',
  maintenances: 'Enviar também as manutenções programadas',
  email_empty: 'Informe seu endereço de e-mail.',
  email_invalid: 'Informe um endereço de e-mail como nome@example.com.',
  systems_empty: 'Selecione pelo menos um sistema.',
  choice_invalid: 'Selecione uma das opções.',
  errors: 'Corrija estes dados:',
  sent: 'Verifique sua caixa de entrada',
  sent_text:
    'Se este endereço puder receber atualizações, um e-mail com um link está a caminho. Abra o link para continuar. Se nada chegar em alguns minutos, verifique a pasta de spam.',
  by_feed: 'Feeds e calendário',
  confirm: 'Confirmar a assinatura',
  confirm_text: 'Pressione o botão para receber as atualizações neste endereço:',
  confirmed: 'Assinatura confirmada',
  confirmed_text: 'As atualizações serão enviadas para este endereço:',
  manage: 'Sua assinatura',
  manage_link: 'Alterar ou cancelar a assinatura',
  save: 'Salvar alterações',
  saved: 'Suas alterações foram salvas.',
  unsubscribe: 'Cancelar a assinatura',
  unsubscribe_text: 'Pressione o botão para não receber mais e-mails neste endereço:',
  unsubscribed: 'Assinatura cancelada',
  unsubscribed_text: 'Você não receberá mais e-mails desta página de status. Seu endereço foi excluído.',
  invalid: 'Este link não é mais válido',
  invalid_text:
    'O link está incompleto, expirou ou a assinatura terminou. Se você cancelou a assinatura, não receberá mais e-mails.',
  too_many: 'Assinaturas demais',
  too_many_text: 'Foram solicitadas assinaturas demais a partir da sua rede. Tente novamente em uma hora.',
};
