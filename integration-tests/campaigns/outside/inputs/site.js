(function (global) {
  'use strict';
  var unusedVariable = 1;
  function Greeter(name) { this.personName = name; }
  Greeter.prototype.greet = function (punctuation) {
    var greeting = 'Hello, ' + this.personName;
    if (punctuation) { greeting = greeting + punctuation; } else { greeting += '.'; }
    return greeting;
  };
  global.greet = function (names) {
    var all = [];
    for (var i = 0; i < names.length; i++) { all.push(new Greeter(names[i]).greet('!')); }
    return all.join('\n');
  };
})(this);
