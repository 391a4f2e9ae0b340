// head
export default {
  title: '[de Ŧīŧŀḗ ǿƒ ŧħḗ ḿǿḓŭŀḗ ~~~]',
  menu: { open: `Open ${'it'}`, close: "[de Ƈŀǿşḗ īŧ ~~]" },
};
