// Shows openapi.json by Swagger UI. Nothing is asked of another host, and a key that is typed in is not kept.

// A heading that opens is a button, and a link inside a button cannot be reached by the keyboard. Opening sets the address.
const plainHeadings = () => ({
  wrapComponents: {
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

// What Swagger UI leaves without a name, or without a way to scroll it by the keyboard.
function complete() {
  for (const choice of document.querySelectorAll('select:not([aria-label])'))
    choice.setAttribute('aria-label', choice.closest('.examples-select') ? 'Example' : choice.id || 'Media type');
  for (const part of document.querySelectorAll('.renderedMarkdown table, .microlight')) part.tabIndex = 0;
}
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [plainHeadings],
});

// Swagger UI has a dark style and leaves the choice to the page: as the reader's system has it, also when that changes.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
choose();
dark.addEventListener('change', choose);
