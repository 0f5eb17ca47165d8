import type { EntryWords } from '../en/entry.js';

/** Polish words of the ways into a private page. */
export const ENTRY_PL: EntryWords = {
  sent: 'Sprawdź skrzynkę',
  sent_text:
    'Jeśli ten adres ma dostęp, wysłaliśmy na niego wiadomość z linkiem. Link działa raz, przez 15 minut. Jeśli wiadomość nie dotrze w ciągu kilku minut, sprawdź, czy nie trafiła do spamu.',
  open: 'Otwórz stronę statusu',
  open_text: 'Naciśnij przycisk, aby otworzyć tę stronę statusu jako:',
  invalid: 'Ten link jest już nieważny',
  invalid_text: 'Link jest niepełny, wygasł lub został już użyty. Poproś o nowy.',
  too_many: (time) => `Było zbyt wiele prób. Spróbuj ponownie ${time}.`,
  until_then: 'Do tego czasu możesz wejść w inny sposób.',
  redirect: 'Logowanie',
  redirect_text: 'Dalszy ciąg na stronie logowania:',
  continue: 'Dalej',
  cancelled: 'Nie udało się zalogować',
  cancelled_text: 'Logowanie zostało anulowane albo Twoje konto nie może z niego korzystać.',
  denied: 'To konto nie ma dostępu',
  denied_text: 'Zaloguj się na inne konto albo poproś o dostęp osobę prowadzącą tę stronę statusu.',
  expired: 'Logowanie wygasło',
  expired_text: 'Trwało zbyt długo albo zastąpiło je inne. Zacznij od nowa.',
  failed: 'Logowanie chwilowo nie działa',
  failed_text: 'Usługa logowania nie odpowiada zgodnie z oczekiwaniami. Spróbuj później.',
  reason: 'Powód:',
  again: 'Wróć do strony statusu',
};
