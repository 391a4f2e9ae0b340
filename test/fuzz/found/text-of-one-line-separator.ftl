a = Hello
b =  
c = Bye
